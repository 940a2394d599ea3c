import { inTransaction, type Scope } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { failApproval } from '../approval/fail-approval.ts'
import { isBuyerAsked } from '../state.ts'
import * as transactions from '../store/payments.ts'
import { cancelTransaction } from './cancel.ts'

/**
 * The buyer does not want to approve. A payment that only the issuer knows ends here. A provider that was asked is asked to
 * cancel, and the payment waits for its answer: until then, the buyer may still have paid.
 */
export async function cancelByBuyer(scope: Scope, engine: Engine, id: string): Promise<void> {
  const waiting = await transactions.find(scope, id)
  if (!waiting || !isBuyerAsked(waiting)) return
  if ((await attempts.openOf(scope, id)).length > 0) return cancelAtProvider(scope, engine, id)
  await inTransaction(scope, async (tx) => {
    const failed = await failApproval(tx, engine, id, { code: 'cancelled_buyer_approval' })
    if (!failed) return
    const { currency, amount } = failed
    await auditLogs.record(tx, 'canceled', { type: 'transaction', id, name: `${currency} ${amount}` })
  })
}

/** A provider that cannot cancel, or is just deciding, leaves the payment as it is. */
async function cancelAtProvider(scope: Scope, engine: Engine, id: string): Promise<void> {
  try {
    await cancelTransaction(scope, UNKEYED, engine, id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
