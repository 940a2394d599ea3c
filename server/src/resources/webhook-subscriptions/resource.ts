import type { Resource } from '#resources/resource.ts'
import { deliveryReading } from './deliveries/readings.ts'
import { webhookDeliveryRoutes } from './deliveries/routes.ts'
import { webhookJobs } from './jobs.ts'
import { webhookSubscriptionRoutes } from './routes.ts'

export const webhookSubscriptionResource: Resource = {
  operations: (needs) => [...webhookSubscriptionRoutes(needs), ...webhookDeliveryRoutes(needs)],
  jobs: webhookJobs,
  readings: [deliveryReading],
}
