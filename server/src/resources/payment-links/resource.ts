import type { Resource } from '#resources/resource.ts'
import { paymentLinkJobs } from './jobs.ts'
import { servePaymentLinks } from './page/payment-page.ts'
import { paymentLinkRoutes } from './routes.ts'

export const paymentLinkResource: Resource = {
  operations: paymentLinkRoutes,
  jobs: paymentLinkJobs,
  servePages: (app, { engine, contextOf, browserLimit }) =>
    servePaymentLinks(app, { engine, context: contextOf('Buyer'), limit: browserLimit }),
}
