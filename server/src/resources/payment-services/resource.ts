import { lapsedBy } from '#payments/conclude/void.ts'
import * as unfinished from '#payments/store/unfinished.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import { removeOldMemories } from '#processing/service-accounts/fields.ts'
import { forgetSecretsJob } from '#processing/service-accounts/save.ts'
import * as tokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import type { Resource } from '#resources/resource.ts'
import type { Vault } from '#vault'
import { paymentServiceNotificationRoutes } from './notifications/routes.ts'
import { isHeardAfterDeletion, serveNotifications } from './notifications/take.ts'
import { heldNotificationJob } from './notifications/take-held.ts'
import { TAKERS } from './notifications/takers.ts'
import { paymentServiceRoutes } from './routes.ts'
import { findMany, KIND } from './store.ts'

export const paymentServiceJobs: Job<Needs>[] = [
  {
    ...forgetSecretsJob(KIND, countKept),
    name: 'forget-secrets-of-deleted-services',
  },
  {
    name: 'forget-what-providers-lent',
    everyMs: 3_600_000,
    run: ({ context }) => removeOldMemories(context),
  },
]

export const paymentServiceResource: Resource = {
  operations: (needs) => [...paymentServiceRoutes(needs), ...paymentServiceNotificationRoutes],
  jobs: [...paymentServiceJobs, heldNotificationJob(TAKERS)],
  servePages: (app, { engine, contextOf }) => {
    serveNotifications(app, {
      engine,
      context: contextOf('Payment service'),
      takers: TAKERS,
    })
  },
}

type Needs = { readonly context: Context; readonly vault: Vault }

/**
 * Payments can be disputed months after a service is deleted, and its secrets verify the notifications about that.
 * The merchant releases holds at the service, or they expire. Tokens stay at the provider until the merchant deletes them,
 * or the payment methods to which they belong: then the provider is asked to delete them.
 */
async function countKept(scope: Scope, id: string): Promise<number> {
  const held = await unfinished.countHeldAt(scope, id, lapsedBy(scope.clock()))
  const service = (await findMany(scope, [id])).get(id)
  const isHeard = service !== undefined && (await isHeardAfterDeletion(scope, service))
  return held + (isHeard || (await tokens.isAnyAt(scope, id)) ? 1 : 0)
}
