import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,connectors,simulator,issuer,vault,tools,faults}/**/*.test.ts'],
    globalSetup: 'server/src/testing/database-server.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
