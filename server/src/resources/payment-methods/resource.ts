import type { Resource } from '#resources/resource.ts'
import { paymentMethodJobs } from './jobs.ts'
import { serveTokenNotifications } from './network-tokens/notifications/take.ts'
import { networkTokenRoutes } from './network-tokens/routes.ts'
import { serveApprovalReturns } from './payment-service-tokens/return-page.ts'
import { paymentServiceTokenRoutes } from './payment-service-tokens/routes.ts'
import { paymentMethodRoutes } from './routes.ts'

export const paymentMethodResource: Resource = {
  operations: (needs) => [
    ...paymentMethodRoutes(needs),
    ...networkTokenRoutes(needs),
    ...paymentServiceTokenRoutes(needs),
  ],
  jobs: paymentMethodJobs,
  servePages: (app, { engine, contextOf, browserLimit }) => {
    serveTokenNotifications(app, engine, contextOf('Token service'))
    serveApprovalReturns(app, { engine, context: contextOf('Buyer'), limit: browserLimit })
  },
}
