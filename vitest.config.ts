import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { CapabilityPage } from './tools/capability-page.ts'
import { FailedFiles } from './tools/failed-files.ts'
import { LongestFirst } from './tools/longest-first.ts'

export default defineConfig({
  test: {
    globalSetup: ['server/src/testing/set-up.ts', 'server/src/testing/database-server.ts'],
    // Long enough for a machine that does much else: a limit that is too short fails tests that are right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // A worker waits for the database, the browser and the clock a third of its time.
    maxWorkers: availableParallelism() + 1,
    // The files of a worker share its modules: to load the service for each file took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new FailedFiles(), new CapabilityPage()],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['{server,connectors,sandbox,issuer,vault,lab,tools,web,client,examples}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.{process,pages}.test.ts'],
        },
      },
      // What a developer does not wait for. Pages in a browser, in all their states: `npm run test:pages`.
      {
        extends: true,
        test: { name: 'pages', include: ['{server,web}/**/*.pages.test.ts'] },
      },
      // Pages for buyers once more, in Firefox: a part of `npm run test:pages`.
      {
        extends: true,
        test: {
          name: 'firefox',
          include: ['{web/{pay,fields},server/src/resources/approvals}/*.test.ts'],
          exclude: ['**/{kinds,phone-number,page,provider-page,three-ds-page}.test.ts'],
          env: { TEST_BROWSER: 'firefox' },
        },
      },
      // Processes that start, end and are killed, packages that are built, commands: up to a minute each. `npm run test:faults`.
      {
        extends: true,
        test: {
          name: 'faults',
          include: [
            'faults/**/*.test.ts',
            '{server,connectors,sandbox,client,tools,examples}/**/*.process.test.ts',
          ],
        },
      },
    ],
  },
})
