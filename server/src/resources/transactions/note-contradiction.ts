import type { SyncAnswer } from '../../../../connectors/contract/connector.ts'
import type { Scope, Tx } from '../../platform/db.ts'
import { referenceOf } from './answer.ts'
import * as attempts from './attempts/store.ts'
import * as transactionEvents from './events/store.ts'
import * as transactions from './store.ts'

/**
 * An attempt was decided, and now a provider says otherwise. What is decided stays, but nobody loses sight of it: it is
 * kept as an event, and money that is held for a payment that is over is let go.
 */
export async function noteContradiction(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  attempt: attempts.Attempt,
  answer: SyncAnswer,
): Promise<transactions.StoredTransaction> {
  const isApproval = answer.outcome === 'approved'
  if (!isApproval || attempt.state === 'approved') return transaction
  const context = {
    attempt_id: attempt.id,
    operation: attempt.operation,
    settled_as: attempt.state,
    told: 'approved',
  }
  await transactionEvents.record(tx, transaction.id, [{ name: 'transaction-sync-failed-event', context }])
  return attempt.operation === 'authorize' ? releaseLate(tx, transaction, attempt, answer) : transaction
}

/** The hold of an authorization that came too late to count. Of one that took the money, the event has to do. */
export async function releaseLate(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  attempt: attempts.Attempt,
  answer: SyncAnswer,
): Promise<transactions.StoredTransaction> {
  const reference = referenceOf(answer)
  const isHeldInVain = transaction.authorized_amount === 0 && !attempt.is_direct_capture
  if (!isHeldInVain || reference === null) return transaction
  // A provider says it as often as it likes; the hold is let go of once.
  const open = await attempts.openOf(tx, transaction.id)
  if (transaction.outcome.voided_at || open.some(({ operation }) => operation === 'void')) return transaction
  const after = await transactions.change(tx, transaction, { payment_service_transaction_id: reference })
  await attempts.insert(tx, {
    transaction_id: transaction.id,
    operation: 'void',
    payment_service_id: attempt.payment_service_id,
    amount: attempt.amount,
    state: 'queued',
    dueAt: tx.clock(),
  })
  return after
}
