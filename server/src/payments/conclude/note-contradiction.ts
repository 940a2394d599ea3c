import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { referenceOf } from '#processing/attempts/conclude.ts'
import * as history from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { giveBack } from '../gift-cards/redemptions.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import type * as transactions from '../store/payments.ts'
import { releaseHold } from './finish.ts'

type Heard = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly answer: SyncAnswer
}

/**
 * A provider approves an attempt that was decided otherwise. The decision stays. The payment's history
 * records the approval, and what the provider holds or has taken for a payment that has ended is given back. If the provider
 * has released the payment's own hold after all, the payment ends.
 */
export async function noteContradiction(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Heard,
): Promise<transactions.StoredTransaction> {
  const isApproval = answer.outcome === 'approved'
  if (!isApproval || attempt.state === 'approved') return transaction
  const context = {
    attempt_id: attempt.id,
    operation: attempt.kind,
    settled_as: attempt.state,
    told: 'approved',
  }
  await transactionEvents.record(tx, transaction.id, [{ name: 'transaction-sync-failed-event', context }])
  if (attempt.kind === 'authorize') return releaseLate(tx, transaction, attempt, answer)
  const isReleased = attempt.kind === 'void' && !attempts.isStray(attempt) && state.isHeld(transaction)
  return isReleased ? giveBack(tx, engine, transaction) : transaction
}

/**
 * Undoes an authorization that came too late: the payment has ended, or another service has authorized it. A hold is
 * released. If the money was taken at once, it is refunded: the buyer was told that the payment failed, and has paid
 * again or will. Subscribers are told, because their books at the provider show the money.
 */
export async function releaseLate(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  attempt: attempts.PaymentAttempt,
  answer: SyncAnswer,
): Promise<transactions.StoredTransaction> {
  const reference = referenceOf(answer)
  if (answer.outcome !== 'approved' || reference === null) return transaction
  if (isOwnHold(transaction, attempt, reference)) return transaction
  const { state: decided, due_at } = attempt
  if (attempt.reference !== reference) {
    await attempts.change(tx, attempt, { state: decided, due_at, reference })
  }
  // The provider may repeat its answer. Undo it once.
  if (await history.isReleased(tx, attempt)) return transaction
  const { amount = attempt.amount } = answer
  await releaseHold(tx, { ...attempt, subject_id: attempt.id, amount }, tx.clock())
  if (attempt.is_direct_capture) await events.publish(tx, ['transaction.modified'], toTarget(transaction))
  return transaction
}

/**
 * Whether the hold belongs to the payment, and is captured or voided with it. Authorizations that a merchant
 * entered by hand have no reference.
 */
function isOwnHold(
  {
    authorized_amount,
    payment_service_id,
    payment_service_transaction_id: own,
  }: transactions.StoredTransaction,
  attempt: attempts.PaymentAttempt,
  reference: string,
): boolean {
  const isThere = payment_service_id === attempt.service_id && (own === null || own === reference)
  return authorized_amount > 0 && isThere
}
