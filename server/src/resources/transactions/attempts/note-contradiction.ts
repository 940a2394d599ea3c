import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/db.ts'
import * as transactionEvents from '../events/store.ts'
import type * as transactions from '../store.ts'
import { referenceOf } from './answer.ts'
import * as attempts from './store.ts'

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

/**
 * The hold of an authorization that came too late to count: the payment is over, or another service has it by now. Of one
 * that took the money, the event has to do.
 */
export async function releaseLate(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  attempt: attempts.Attempt,
  answer: SyncAnswer,
): Promise<transactions.StoredTransaction> {
  const reference = referenceOf(answer)
  if (answer.outcome !== 'approved' || reference === null) return transaction
  if (attempt.is_direct_capture || isOwnHold(transaction, attempt, reference)) return transaction
  const { state, due_at } = attempt
  if (attempt.reference !== reference) await attempts.change(tx, attempt, { state, due_at, reference })
  // A provider says it as often as it likes; the hold is let go of once.
  if (await attempts.isLetGo(tx, attempt)) return transaction
  await attempts.insert(tx, {
    transaction_id: transaction.id,
    operation: 'void',
    subject_id: attempt.id,
    payment_service_id: attempt.payment_service_id,
    amount: attempt.amount,
    state: 'queued',
    dueAt: tx.clock(),
  })
  return transaction
}

/** It is captured or voided with the payment. Whose authorization a merchant has entered by hand, has no reference. */
function isOwnHold(
  {
    authorized_amount,
    payment_service_id,
    payment_service_transaction_id: own,
  }: transactions.StoredTransaction,
  attempt: attempts.Attempt,
  reference: string,
): boolean {
  const isThere = payment_service_id === attempt.payment_service_id && (own === null || own === reference)
  return authorized_amount > 0 && isThere
}
