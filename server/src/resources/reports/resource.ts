import type { Resource } from '#resources/resource.ts'
import { executionRoutes } from './executions/routes.ts'
import { serveReportFiles } from './executions/serve-file.ts'
import { reportJobs } from './jobs.ts'
import { reportRoutes } from './routes.ts'

export const reportResource: Resource = {
  operations: (needs) => [...reportRoutes(needs), ...executionRoutes(needs)],
  jobs: reportJobs,
  servePages: (app, { engine, contextOf, reportFiles, logger }) =>
    serveReportFiles(app, {
      context: contextOf('Download'),
      secrets: engine.secrets,
      storage: reportFiles,
      logger,
    }),
}
