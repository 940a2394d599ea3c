import type { Scope, Tx } from '#platform/database/db.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import type { Engine } from '#processing/engine.ts'
import { reverseAll } from '../gift-cards/queue.ts'
import { FAILED } from '../state.ts'
import type * as transactions from '../store/payments.ts'
import { endUnpaid } from './end-unpaid.ts'
import { releaseHold } from './release-hold.ts'

/**
 * A gift card could not pay its part, so the payment fails: the other gift cards get back what they paid, and
 * the payment method's hold is released. All of it is queued in this commit.
 */
export async function unwind(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
  code: string,
): Promise<transactions.StoredTransaction> {
  await reverseAll(tx, engine, transaction)
  const { id, authorized_amount: amount, payment_service_id: service_id } = transaction
  if (amount > 0 && service_id !== null) {
    const soon = dueIfLeft(tx.clock(), engine.providers.timeoutMs)
    await releaseHold(tx, { transaction_id: id, subject_id: null, service_id, amount }, soon)
  }
  return endUnpaid(tx, engine, transaction, { ...FAILED, error_code: code })
}
