import type { Context } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import * as deliveries from './deliveries/read.ts'
import { requireActive } from './replay.ts'
import type { WebhookDelivery } from './schemas.ts'
import { showDelivery } from './show-delivery.ts'
import type { Sight } from './store.ts'
import * as subscriptions from './store.ts'

/** An event without a cause, for this subscription only. It is delivered like all events. */
export async function sendTestEvent(
  context: Context,
  once: Once,
  sight: Sight,
  id: string,
): Promise<Finished<WebhookDelivery>> {
  return inFinalTransaction(context, once, async (tx) => {
    const subscription = requireActive(await subscriptions.find(tx, sight, id))
    const { merchant_account_id, url, active } = subscription
    const target = { type: 'webhook-subscription', id, merchant_account_id, url, active }
    const place = { ...tx, merchantAccountId: merchant_account_id }
    await auditLogs.record(place, 'updated', { type: 'webhook-subscription', id, name: 'test event' })
    const eventId = await events.publishTo(place, id, 'webhook-subscription.test', target)
    const delivery = await deliveries.find(tx, id, eventId)
    if (!delivery) throw new Error('the delivery is missing')
    return showDelivery(delivery)
  })
}
