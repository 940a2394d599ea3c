import type { Scope, Tx } from '#platform/db.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import type { Engine } from '#processing/engine.ts'
import { endUnpaid } from '../conclusions/end-unpaid.ts'
import { releaseHold } from '../conclusions/release-hold.ts'
import { FAILED } from '../state.ts'
import type * as transactions from '../store.ts'
import { queueReversal } from './queue.ts'
import * as redemptions from './store.ts'

/**
 * One gift card could not pay its part, so the payment comes to nothing: what the others paid goes back to them, and the
 * hold on the payment method is released. All of it is queued in this commit.
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

/** Puts back on its card whatever was redeemed and not refunded or reversed. */
export async function reverseAll(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id }: transactions.StoredTransaction,
): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status !== 'succeeded' || redemption.is_reversed || redemption.refunded_amount > 0)
      continue
    await queueReversal(tx, redemption, dueIfLeft(tx.clock(), providers.timeoutMs))
  }
}
