import type { Resource } from '#resources/resource.ts'
import { checkoutSessionJobs } from './jobs.ts'
import { checkoutPageRoutes } from './page/routes.ts'
import { checkoutSessionRoutes } from './routes.ts'

export const checkoutSessionResource: Resource = {
  operations: (needs) => [...checkoutSessionRoutes(needs), ...checkoutPageRoutes(needs)],
  jobs: checkoutSessionJobs,
}
