import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as paymentMethods from '../store.ts'
import { giveUp } from './conclude.ts'
import * as tokens from './store.ts'

const BATCH = 100

/** Fails tokens whose buyer did not approve in time. If the provider still gives one, it is deleted there. */
export async function expireApprovals(context: Context): Promise<void> {
  const failures: unknown[] = []
  for (const { id, merchant_account_id } of await tokens.abandoned(context, context.clock(), BATCH)) {
    await expire({ ...context, merchantAccountId: merchant_account_id }, id).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error
      failures.push(error)
    })
  }
  failTogether(failures)
}

function expire(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const found = await tokens.find(tx, id)
    if (!found) return
    await paymentMethods.lock(tx, found.payment_method_id)
    const token = await tokens.lock(tx, id)
    const end = token?.approval_expires_at
    if (token && end && end <= tx.clock()) await giveUp(tx, token)
  })
}
