import type { Context, Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { firstMsOf } from '#platform/listing/bounds.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { find as findDelivery, showDelivery } from './deliveries/read.ts'
import * as deliveries from './deliveries/store.ts'
import type { ReplayWebhooks, WebhookDelivery, WebhookReplay } from './schemas.ts'
import type { Sight, StoredSubscription } from './store.ts'
import * as subscriptions from './store.ts'

const AT_ONCE_MAX = 10_000

/** A replay must say what to send: by time or by status. */
export function replayComplaints(
  { since, status }: Sound<ReplayWebhooks>,
  { isRight }: About,
): ErrorDetail[] {
  if (since !== undefined || status !== undefined || !isRight('/since', '/status')) return []
  return [inBody('/since', 'value_error.missing', 'is required, unless status is parked')]
}

/** Queues many events again. */
export async function replayMany(
  context: Context,
  once: Once,
  { sight, id }: { readonly sight: Sight; readonly id: string },
  { since, until, status }: ReplayWebhooks,
): Promise<Finished<WebhookReplay>> {
  const from = since === undefined ? undefined : new Date(firstMsOf(since, 'since', 'body'))
  const to = until === undefined ? undefined : new Date(firstMsOf(until, 'until', 'body'))
  if (from && to && from >= to) {
    throw errors.invalid(inBody('/until', 'value_error.conflict', 'must be later than since'))
  }
  return inFinalTransaction(context, once, async (tx) => {
    const subscription = requireActive(await subscriptions.lock(tx, sight, id))
    const { count, last } = await deliveries.queueAgain(tx, subscription, {
      since: from,
      until: to,
      isParkedOnly: status === 'parked',
      limit: AT_ONCE_MAX,
    })
    await recordReplay(tx, subscription, count)
    return {
      type: 'webhook-replay',
      webhook_subscription_id: id,
      count,
      next_since: count === AT_ONCE_MAX && last ? last.toISOString() : null,
    }
  })
}

/** Queues one event again, or for the first time if the subscription was not active when it happened. */
export async function replayOne(
  context: Context,
  once: Once,
  { sight, id }: { readonly sight: Sight; readonly id: string },
  deliveryId: string,
): Promise<Finished<WebhookDelivery>> {
  return inFinalTransaction(context, once, async (tx) => {
    const subscription = orNotFound(await subscriptions.lock(tx, sight, id))
    await deliveries.queueOneAgain(tx, subscription, deliveryId)
    const delivery = orNotFound(await findDelivery(tx, id, deliveryId))
    requireActive(subscription)
    await recordReplay(tx, subscription, 1)
    return showDelivery(delivery)
  })
}

/** Receivers act on repeated events, so the audit log records who asked for them. */
async function recordReplay(
  tx: Context<Tx>,
  { id, merchant_account_id }: StoredSubscription,
  count: number,
): Promise<void> {
  if (count === 0) return
  await auditLogs.record({ ...tx, merchantAccountId: merchant_account_id }, 'updated', {
    type: 'webhook-subscription',
    id,
    name: `replay of ${count}`,
  })
}

export function requireActive(subscription: StoredSubscription | undefined): StoredSubscription {
  if (!subscription) throw errors.notFound()
  if (!subscription.active) {
    throw errors.refused('Set `active` to true first: the subscription is not active.')
  }
  return subscription
}
