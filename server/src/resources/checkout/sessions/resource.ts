import type { Resource } from '#resources/resource.ts'
import { checkoutSessionJobs } from './jobs.ts'
import { checkoutSessionRoutes } from './routes.ts'

export const checkoutSessionResource: Resource = {
  operations: checkoutSessionRoutes,
  jobs: checkoutSessionJobs,
}
