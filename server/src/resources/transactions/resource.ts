import { takeReview } from '#payments/acts/review.ts'
import { serveAntiFraudNotifications } from '#resources/anti-fraud-services/notifications/take.ts'
import type { Resource } from '#resources/resource.ts'
import { actionRoutes } from './actions/routes.ts'
import { attemptRoutes } from './attempts/routes.ts'
import { captureRoutes } from './captures/routes.ts'
import { decisionRoutes } from './decision/routes.ts'
import { transactionEventRoutes } from './events/routes.ts'
import { exchangeRoutes } from './exchanges/routes.ts'
import { transactionJobs } from './jobs.ts'
import { refundRoutes } from './refunds/routes.ts'
import { reportedRoutes } from './reported/routes.ts'
import { transactionRoutes } from './routes.ts'
import { transactionSessionRoutes } from './session/routes.ts'

export const transactionResource: Resource = {
  operations: (needs) => [
    ...transactionRoutes(needs),
    ...captureRoutes(),
    ...refundRoutes(needs),
    ...transactionEventRoutes(needs),
    ...attemptRoutes(),
    ...exchangeRoutes(needs),
    ...actionRoutes(),
    ...decisionRoutes(),
    ...transactionSessionRoutes(needs),
    ...reportedRoutes(),
  ],
  jobs: transactionJobs,
  servePages: (app, { engine, contextOf }) => {
    serveAntiFraudNotifications(app, { engine, context: contextOf('Anti-fraud service'), take: takeReview })
  },
}
