import type { Resource } from '#resources/resource.ts'
import { paymentServiceReportFeedRoutes } from './feeds/routes.ts'
import { paymentServiceReportJobs } from './jobs.ts'
import { paymentServiceReportRoutes } from './routes.ts'

/** What payment services report about settled and disputed payments. */
export const paymentServiceReportResource: Resource = {
  operations: (needs) => [...paymentServiceReportFeedRoutes(), ...paymentServiceReportRoutes(needs)],
  jobs: paymentServiceReportJobs,
}
