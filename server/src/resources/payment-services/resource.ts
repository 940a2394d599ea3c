import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { takePayoutNotification } from '#resources/payouts/take-notification.ts'
import type { Resource } from '#resources/resource.ts'
import { takeNotification } from '#resources/transactions/attempts/take-notification.ts'
import { takeLateFailure } from '#resources/transactions/reported/take-late-failure.ts'
import { paymentServiceJobs } from './jobs.ts'
import { serveNotifications } from './notifications/take.ts'
import { paymentServiceRoutes } from './routes.ts'
import { serveSimulatedApprovals } from './simulated-approval-page.ts'

export const paymentServiceResource: Resource = {
  operations: paymentServiceRoutes,
  jobs: paymentServiceJobs,
  servePages: (app, { engine, contextOf }) => {
    serveNotifications(app, {
      engine,
      context: contextOf('Payment service'),
      take: {
        payment: takeNotification,
        payout: takePayoutNotification,
        dispute: takeDispute,
        lateFailure: takeLateFailure,
      },
    })
    serveSimulatedApprovals(app, engine.providers)
  },
}
