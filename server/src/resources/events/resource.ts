import type { Resource } from '#resources/resource.ts'
import { eventJobs } from './jobs.ts'
import { eventRoutes } from './routes.ts'

export const eventResource: Resource = {
  operations: eventRoutes,
  jobs: eventJobs,
}
