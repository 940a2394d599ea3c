import type { Scope, Tx } from '#platform/database/db.ts'
import { codeOf, endOf, factsOf, referenceOf } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { nextCheck } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { reverseAll } from '../gift-cards/redemptions.ts'
import { toCapture, toTarget } from '../show.ts'
import * as state from '../state.ts'
import { isForReview, isRejected } from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactions from '../store/payments.ts'
import { tellStatus } from '../tell.ts'
import { type DecidedAttempt, outcomeOf, releaseHold, releaseRejected } from './finish.ts'

export async function concludeCapture(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const capture = await captures.ofAttempt(tx, attempt)
  // A reviewer has accepted the payment, and the buyer has left. Retry the capture: the buyer would not come
  // back to pay.
  if (answer.outcome === 'not_found' && isForReview(transaction) && !isRejected(transaction)) {
    const { transaction_id, kind, subject_id, service_id, amount } = attempt
    const asked = { transaction_id, kind, subject_id, service_id, amount }
    await attempts.queue(tx, asked, nextCheck(tx.clock(), attempt.checks))
    return transaction
  }
  const { amount, is_final: isFinal } = capture
  const isDone = answer.outcome === 'approved'
  const after = await transactions.change(tx, transaction, {
    ...state.afterCapture(transaction, { amount, isFinal, answer }),
    ...(isDone && { outcome: { captured_at: tx.clock().toISOString() } }),
  })
  const ended = await captures.change(tx, capture, {
    status: endOf(answer),
    error_code: codeOf(answer),
    payment_service_capture_id: referenceOf(answer),
    outcome: outcomeOf(factsOf(answer)),
  })
  await events.publish(tx, [`capture.${endOf(answer)}`], toCapture(after, ended))
  const told = isDone ? 'transaction.captured' : 'transaction.capture-failed'
  await tellStatus(tx, transaction.status, after, [told])
  // The payment has failed, and the buyer's money is still held for it: release it.
  if (state.isFailed(after)) {
    if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
    await releaseHold(tx, { ...attempt, subject_id: null, amount: after.authorized_amount }, tx.clock())
  }
  // A reviewer rejected the payment while the capture was on its way.
  const isVain = state.isAuthorized(after) && isRejected(after)
  return isVain ? releaseRejected(tx, engine, after) : after
}

/** The provider has not decided yet. Subscribers are told once. */
export async function tellCapturePending(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<void> {
  const { reference } = attempt
  const capture = await captures.ofAttempt(tx, attempt)
  await events.publish(tx, ['transaction.capture-pending'], toTarget(transaction))
  const known =
    reference === null
      ? capture
      : await captures.change(tx, capture, { status: 'pending', payment_service_capture_id: reference })
  await events.publish(tx, ['capture.pending'], toCapture(transaction, known))
}

export async function concludeIncrement(
  tx: Scope<Tx>,
  _engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  if (answer.outcome !== 'approved') return transaction
  const change = state.afterIncrement(transaction, attempt.amount, answer)
  const after = await transactions.change(tx, transaction, change)
  await events.publish(tx, ['transaction.modified'], toTarget(after))
  return after
}
