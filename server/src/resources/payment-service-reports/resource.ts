import type { Resource } from '#resources/resource.ts'
import { paymentServiceReportJobs } from './jobs.ts'
import { paymentServiceReportRoutes } from './routes.ts'

/** What payment services report about settled and disputed payments. */
export const paymentServiceReportResource: Resource = {
  operations: paymentServiceReportRoutes,
  jobs: paymentServiceReportJobs,
}
