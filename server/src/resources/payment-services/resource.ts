import type { Resource } from '#resources/resource.ts'
import { simulatedNotificationJob } from '#sandbox/deliver-notifications.ts'
import { serveSimulatedApprovals } from '#sandbox/wallet-page/approval-page.ts'
import { paymentServiceJobs } from './jobs.ts'
import { paymentServiceNotificationRoutes } from './notifications/routes.ts'
import { serveNotifications } from './notifications/take.ts'
import { heldNotificationJob } from './notifications/take-held.ts'
import { TAKERS } from './notifications/takers.ts'
import { paymentServiceRoutes } from './routes.ts'

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
