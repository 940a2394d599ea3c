import type { Resource } from '#resources/resource.ts'
import { webhookDeliveryRoutes } from './deliveries/routes.ts'
import { webhookJobs } from './jobs.ts'
import { webhookSubscriptionRoutes } from './routes.ts'

export const webhookSubscriptionResource: Resource = {
  operations: (needs) => [...webhookSubscriptionRoutes(needs), ...webhookDeliveryRoutes(needs)],
  jobs: webhookJobs,
}
