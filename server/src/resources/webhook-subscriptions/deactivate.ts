import { type Context, inTransaction } from '../../platform/db.ts'
import * as auditLogs from '../audit-logs/store.ts'
import * as subscriptions from './store.ts'

/** The receiver said that it is gone for good. */
export function deactivate(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    const subscription = await subscriptions.lock(tx, subscriptions.EVERYTHING, id)
    if (!subscription?.active) return
    await subscriptions.update(tx, subscription, { active: false })
    await auditLogs.record(tx, {
      action: 'updated',
      resource: { type: 'webhook-subscription', id, name: subscription.url },
      merchantAccountId: subscription.merchant_account_id,
    })
  })
}
