import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { StoredSubscription } from './store.ts'
import * as subscriptions from './store.ts'

/**
 * The receiver answered that it is gone for good. If the subscription's URL has changed since, that was the
 * former receiver.
 */
export function deactivate(
  context: Context,
  { id, url }: Pick<StoredSubscription, 'id' | 'url'>,
): Promise<void> {
  return inTransaction(context, async (tx) => {
    const subscription = await subscriptions.lock(tx, subscriptions.EVERYTHING, id)
    if (!subscription?.active || subscription.url !== url) return
    await subscriptions.update(tx, subscription, { active: false })
    await auditLogs.record({ ...tx, merchantAccountId: subscription.merchant_account_id }, 'updated', {
      type: 'webhook-subscription',
      id,
      name: subscription.url,
    })
  })
}
