import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'

export default defineConfig({
  test: {
    globalSetup: 'server/src/testing/database-server.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // The files of a worker share its modules: to load the service for each file took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['{server,connectors,simulator,issuer,vault,lab,tools}/**/*.test.ts'],
        },
      },
      // Each takes up to a minute: `npm run test:faults` runs them apart from what a developer waits for.
      { extends: true, test: { name: 'faults', include: ['faults/**/*.test.ts'] } },
    ],
  },
})
