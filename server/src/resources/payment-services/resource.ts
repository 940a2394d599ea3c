import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { takeNewReport } from '#resources/payment-service-reports/take-new-report.ts'
import { takePayoutNotification } from '#resources/payouts/take-notification.ts'
import type { Resource } from '#resources/resource.ts'
import { takeApproval } from '#resources/transactions/attempts/take-approval.ts'
import { takeNotification } from '#resources/transactions/attempts/take-notification.ts'
import { takeLateFailure } from '#resources/transactions/reported/take-late-failure.ts'
import { paymentServiceJobs } from './jobs.ts'
import { simulatedNotificationJob } from './notifications/deliver-simulated.ts'
import { paymentServiceNotificationRoutes } from './notifications/routes.ts'
import { serveNotifications, type Takers } from './notifications/take.ts'
import { heldNotificationJob } from './notifications/take-held.ts'
import { paymentServiceRoutes } from './routes.ts'
import { serveSimulatedApprovals } from './simulated-approval-page.ts'

const TAKERS: Takers = {
  payment: takeNotification,
  payout: takePayoutNotification,
  dispute: takeDispute,
  lateFailure: takeLateFailure,
  approval: takeApproval,
  report: takeNewReport,
}

export const paymentServiceResource: Resource = {
  operations: (needs) => [...paymentServiceRoutes(needs), ...paymentServiceNotificationRoutes(needs)],
  jobs: [...paymentServiceJobs, simulatedNotificationJob(TAKERS), heldNotificationJob(TAKERS)],
  servePages: (app, { engine, contextOf }) => {
    serveNotifications(app, {
      engine,
      context: contextOf('Payment service'),
      takers: TAKERS,
    })
    serveSimulatedApprovals(app, engine.providers)
  },
}
