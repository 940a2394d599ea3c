import type { Resource } from '#resources/resource.ts'
import { paymentServiceJobs } from './jobs.ts'
import { paymentServiceRoutes } from './routes.ts'

export const paymentServiceResource: Resource = {
  operations: paymentServiceRoutes,
  jobs: paymentServiceJobs,
}
