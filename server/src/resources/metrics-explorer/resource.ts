import type { Resource } from '../resource.ts'
import { metricsExplorerJobs } from './jobs.ts'
import { presetRoutes } from './presets/routes.ts'
import { metricsExplorerRoutes } from './routes.ts'

export const metricsExplorerResource: Resource = {
  operations: (needs) => [...metricsExplorerRoutes(needs), ...presetRoutes()],
  jobs: metricsExplorerJobs,
}
