import type { Resource } from '#resources/resource.ts'
import { paymentMethodJobs } from './jobs.ts'
import { serveApprovalReturns } from './payment-service-tokens/return-page.ts'
import { paymentServiceTokenRoutes } from './payment-service-tokens/routes.ts'
import { paymentMethodRoutes } from './routes.ts'

export const paymentMethodResource: Resource = {
  operations: (needs) => [...paymentMethodRoutes(needs), ...paymentServiceTokenRoutes(needs)],
  jobs: paymentMethodJobs,
  servePages: (app, { engine, contextOf }) =>
    serveApprovalReturns(app, { engine, context: contextOf('Buyer') }),
}
