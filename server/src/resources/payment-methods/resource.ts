import type { Resource } from '#resources/resource.ts'
import { paymentMethodJobs } from './jobs.ts'
import { paymentMethodRoutes } from './routes.ts'

export const paymentMethodResource: Resource = {
  operations: paymentMethodRoutes,
  jobs: paymentMethodJobs,
}
