import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { removeSecrets } from './secrets.ts'
import type { Sight } from './store.ts'
import * as subscriptions from './store.ts'

/** Waiting deliveries are parked when they are due. One that is being sent arrives, and is recorded. */
export function deleteSubscription(context: Context, vault: Vault, sight: Sight, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    const subscription = await subscriptions.lock(tx, sight, id)
    if (!subscription) throw errors.notFound()
    await removeSecrets(tx, vault, subscription, Object.values(subscription.secrets))
    await subscriptions.markDeleted(tx, subscription)
    await auditLogs.record({ ...tx, merchantAccountId: subscription.merchant_account_id }, 'deleted', {
      type: 'webhook-subscription',
      id,
      name: subscription.url,
    })
  })
}
