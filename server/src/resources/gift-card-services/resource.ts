import type { Resource } from '#resources/resource.ts'
import { giftCardServiceJobs } from './jobs.ts'
import { giftCardServiceRoutes } from './routes.ts'

export const giftCardServiceResource: Resource = {
  operations: giftCardServiceRoutes,
  jobs: giftCardServiceJobs,
}
