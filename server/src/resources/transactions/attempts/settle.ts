import type { ApprovalRequired, Pending, SyncAnswer, Unknown } from '#connectors/contract/connector.ts'
import { createdAt } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { EventName } from '#resources/events/names.ts'
import * as events from '#resources/events/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { letGoOfRejected } from '../anti-fraud/resolve-review.ts'
import { isForReview, isRejected } from '../anti-fraud/review.ts'
import { timedOut } from '../approval/fail-approval.ts'
import { finishSession, forgetCard, forgetCodeOfSession } from '../authorization/finish-card.ts'
import { settleAuthorization } from '../authorization/settle-authorization.ts'
import { toCapture } from '../captures/show.ts'
import * as captures from '../captures/store.ts'
import * as transactionEvents from '../events/store.ts'
import { answered, recordStatus, tellStatus } from '../events/tell.ts'
import { forgetNumbers } from '../gift-card-redemptions/forget-numbers.ts'
import { settleGiftCardRefund, settleRedemption, settleReversal } from '../gift-card-redemptions/settle.ts'
import { reverseAll, skipRest } from '../gift-card-redemptions/unwind.ts'
import { toRefund } from '../refunds/show.ts'
import * as refunds from '../refunds/store.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as transactions from '../store.ts'
import type { Status } from '../wire/transaction.ts'
import { closing, factsOf, outcomeOf, referenceOf } from './answer.ts'
import { aDayLater, lapsedBy, nextCheck } from './due.ts'
import { noteContradiction } from './note-contradiction.ts'
import { refusedBy, settleRelease } from './settle-release.ts'
import * as attempts from './store.ts'

export type Settled = {
  readonly transaction: transactions.StoredTransaction
  /** As it is now. Somebody else may have settled it before. */
  readonly attempt: attempts.Attempt
  readonly service: paymentServices.WorkingService | undefined
  /** Whether this answer decided it. */
  readonly isNews: boolean
}

/**
 * The second commit: under the payment's lock, what a provider said about an attempt becomes what we know. It is the
 * same whether the answer came at once, late, by a notification, or when asked again. An attempt is settled once:
 * whatever comes after that changes nothing.
 */
export async function settle(
  tx: Scope<Tx>,
  engine: Engine,
  attempt: attempts.Attempt,
  answer: SyncAnswer,
): Promise<Settled> {
  const { payment_service_id: id } = attempt
  const service = (await paymentServices.findMany(tx, [id])).get(id)
  return settleAt(tx, engine, { attempt, answer, service })
}

type Told = {
  readonly attempt: attempts.Attempt
  readonly answer: SyncAnswer
  readonly service: Settled['service']
}

/** The same, for whoever has the attempt's payment service at hand. */
export async function settleAt(
  tx: Scope<Tx>,
  engine: Engine,
  { attempt, answer, service }: Told,
): Promise<Settled> {
  const locked = await transactions.lockWith(tx, attempt)
  if (!locked) throw new Error('an attempt belongs to no payment')
  return settleAsRead(tx, engine, { ...locked, answer, service })
}

/**
 * The same without the lock, for whoever has the payment and the attempt as they were last written. If somebody was
 * faster, nothing is written: the transaction ends with `Overtaken`.
 */
export async function settleAsRead(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt: current, answer, service }: Told & Pick<Settled, 'transaction'>,
): Promise<Settled> {
  if (current.due_at === null) {
    return {
      transaction: await noteContradiction(tx, transaction, current, answer),
      attempt: current,
      service,
      isNews: false,
    }
  }
  if (!state.isDecided(answer)) {
    return { ...(await wait(tx, engine, { transaction, attempt: current, answer })), service, isNews: false }
  }

  const settled = await attempts.change(tx, current, closing(answer))
  await transactionEvents.record(
    tx,
    transaction.id,
    answered(settled, answer, service, { retryRule: null, transaction }),
  )
  const after = await SETTLE[current.operation](tx, engine, { transaction, attempt: settled, answer })
  return { transaction: after, attempt: settled, service, isNews: true }
}

type Case = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.Attempt
  readonly answer: state.Decided
}
type SettleOne = (tx: Scope<Tx>, engine: Engine, found: Case) => Promise<transactions.StoredTransaction>

const SETTLE: Readonly<Record<attempts.Attempt['operation'], SettleOne>> = {
  authorize: settleAuthorization,
  capture: settleCapture,
  void: settleVoid,
  cancel: settleCancel,
  refund: settleRefund,
  increment: settleIncrement,
  redeem: settleRedemption,
  reverse: settleReversal,
}

async function settleCapture(tx: Scope<Tx>, engine: Engine, { transaction, attempt, answer }: Case) {
  const key = { transactionId: transaction.id, id: attempt.subject_id ?? '' }
  const capture = await captures.find(tx, key)
  if (!capture) throw new Error('a capture was sent that is not on record')
  // The buyer is long gone, and would not come back to pay again.
  if (answer.outcome === 'not_found' && isForReview(transaction) && !isRejected(transaction)) {
    const { transaction_id, operation, subject_id, payment_service_id } = attempt
    const asked = { transaction_id, operation, subject_id, payment_service_id, amount: attempt.amount }
    const dueAt = nextCheck(tx.clock(), attempt.checks)
    await attempts.insert(tx, { ...asked, state: 'queued', dueAt })
    return transaction
  }
  const { amount, is_final: isFinal } = capture
  const isDone = answer.outcome === 'approved'
  const change = state.afterCapture(transaction, { amount, isFinal, answer })
  const after = await transactions.change(tx, transaction, {
    ...change,
    ...(isDone && { outcome: { captured_at: tx.clock().toISOString() } }),
  })
  const ended = await captures.change(tx, capture, {
    status: isDone ? 'succeeded' : answer.outcome === 'declined' ? 'declined' : 'failed',
    error_code: state.codeOf(answer),
    payment_service_capture_id: referenceOf(answer),
    outcome: outcomeOf(factsOf(answer)),
  })
  await events.publish(tx, [`capture.${ended.status}`], toCapture(after, ended))
  await tellStatus(
    tx,
    transaction.status,
    after,
    isDone ? ['transaction.captured'] : ['transaction.capture-failed'],
  )
  // The buyer's money is held for a payment that has failed: let go of it.
  if (after.status === 'authorization_failed') {
    if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
    await releaseHold(tx, { ...attempt, subject_id: null, amount: after.authorized_amount }, tx.clock())
  }
  // It was found to be fraud while the capture was on its way.
  const isVain = after.status === 'authorization_succeeded' && isRejected(after)
  return isVain ? letGoOfRejected(tx, engine, after) : after
}

async function releaseHold(
  tx: Scope<Tx>,
  { transaction_id, subject_id, payment_service_id, amount }: Omit<attempts.Attempt, 'id'>,
  dueAt: Date,
): Promise<void> {
  const asked = { transaction_id, operation: 'void', subject_id, payment_service_id, amount } as const
  await attempts.insert(tx, { ...asked, state: 'queued', dueAt })
}

const OVER: readonly Status[] = ['authorization_declined', 'authorization_failed', 'authorization_voided']

/** Nobody else would let go of what is held in vain. */
async function releaseAgain(
  tx: Scope<Tx>,
  { status }: transactions.StoredTransaction,
  attempt: attempts.Attempt,
  answer: state.Decided,
): Promise<void> {
  if (OVER.includes(status) || attempts.isStray(attempt)) await askAgain(tx, attempt, answer)
}

/**
 * Soon when it had only got lost, daily when it was refused; not for ever.
 */
async function askAgain(tx: Scope<Tx>, attempt: attempts.Attempt, answer: state.Decided): Promise<void> {
  const now = tx.clock()
  if (createdAt(attempt.transaction_id) < lapsedBy(now)) return
  const isLost = answer.outcome === 'not_found'
  await releaseHold(tx, attempt, isLost ? nextCheck(now, attempt.checks) : aDayLater(now))
}

async function settleVoid(tx: Scope<Tx>, engine: Engine, { transaction, attempt, answer }: Case) {
  const isDone = answer.outcome === 'approved'
  // What another service held beside the payment is no news of the payment.
  if (attempts.isStray(attempt)) {
    if (!isDone) await releaseAgain(tx, transaction, attempt, answer)
    return transaction
  }
  if (transaction.released_amount > 0) return settleRelease(tx, transaction, answer)
  const failed = refusedBy(answer)
  // What was found to be fraud is not to be captured by mistake: it stays as it is until it is let go of.
  if (!isDone && isRejected(transaction) && transaction.status === 'authorization_void_pending') {
    await events.publish(tx, [failed], toTarget(transaction))
    await askAgain(tx, attempt, answer)
    return transaction
  }
  const change = state.afterVoid(transaction, answer)
  const voided_at = tx.clock().toISOString()
  const after = await transactions.change(tx, transaction, {
    ...change,
    ...(isDone && { outcome: { voided_at } }),
  })
  // A void that lets go of a failed payment's hold is no news to anybody.
  if (!change.status) {
    if (!isDone) await releaseAgain(tx, after, attempt, answer)
    return after
  }
  if (!isDone) {
    await recordStatus(tx, transaction.status, after)
    await events.publish(tx, [failed], toTarget(after))
    return after
  }
  if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
  await tellStatus(tx, transaction.status, after)
  return after
}

async function settleCancel(tx: Scope<Tx>, engine: Engine, { transaction, attempt, answer }: Case) {
  const change = state.afterCancel(transaction, answer)
  if (!change.status) return transaction
  const now = tx.clock()
  const after = await transactions.change(tx, transaction, {
    ...change,
    ...(timedOut(transaction, { by: attempt.created_at, now }) ?? {
      outcome: { canceled_at: now.toISOString() },
    }),
  })
  await tellStatus(tx, transaction.status, after)
  // What was cancelled is decided too, and what was held for it can go.
  for (const open of await attempts.openOf(tx, transaction.id)) {
    if (open.operation === 'authorize' && open.id !== attempt.id) {
      await attempts.change(tx, open, { state: 'failed', due_at: null })
    }
  }
  await forgetCard(tx, engine.vault, after)
  await finishSession(tx, engine.vault, after, false)
  if (after.has_gift_card_redemptions) {
    await skipRest(tx, after)
    await forgetNumbers(tx, engine.vault, after)
  }
  return after
}

async function settleRefund(tx: Scope<Tx>, _engine: Engine, { transaction, attempt, answer }: Case) {
  const refund = await refunds.find(tx, attempt.subject_id ?? '')
  if (!refund) throw new Error('a refund was sent that is not on record')
  const isOfGiftCard = refund.target_type === 'gift-card-redemption'
  if (isOfGiftCard) return settleGiftCardRefund(tx, { transaction, refund, answer })
  const after = await transactions.change(
    tx,
    transaction,
    state.afterRefund(transaction, refund.amount, answer),
  )
  const ended = await refunds.change(tx, refund, {
    status:
      answer.outcome === 'approved' ? 'succeeded' : answer.outcome === 'declined' ? 'declined' : 'failed',
    error_code: state.codeOf(answer),
    outcome: outcomeOf(factsOf(answer)),
    ...(referenceOf(answer) !== null && { payment_service_refund_id: referenceOf(answer) }),
  })
  const name: EventName = `refund.${ended.status === 'succeeded' || ended.status === 'declined' ? ended.status : 'failed'}`
  await events.publish(tx, [name], toRefund(after, ended))
  return after
}

async function settleIncrement(tx: Scope<Tx>, _engine: Engine, { transaction, attempt, answer }: Case) {
  const change = state.afterIncrement(transaction, attempt.amount, answer)
  if (answer.outcome !== 'approved') return transaction
  const after = await transactions.change(tx, transaction, change)
  await events.publish(tx, ['transaction.modified'], toTarget(after))
  return after
}

const APPROVAL_MS = 10 * 60_000

/** Nothing is decided yet. Whoever waits is told once, and the provider is asked again later. */
async function wait(
  tx: Scope<Tx>,
  engine: Engine,
  {
    transaction,
    attempt,
    answer,
  }: Omit<Case, 'answer'> & { readonly answer: Unknown | Pending | ApprovalRequired },
): Promise<Pick<Settled, 'transaction' | 'attempt'>> {
  const reference = referenceOf(answer)
  const waiting = await attempts.change(tx, attempt, {
    state: answer.outcome === 'unknown' ? 'unknown' : 'pending',
    due_at: nextCheck(tx.clock(), attempt.checks),
    ...(reference !== null && { reference }),
  })
  const isNews = attempt.state === 'sent' || attempt.state === 'queued'
  if (attempt.operation === 'authorize') {
    if (answer.outcome !== 'unknown') await forgetCodeOfSession(tx, engine.vault, transaction)
    return { transaction: await waitForAuthorization(tx, transaction, answer), attempt: waiting }
  }
  if (isNews) await tellPending(tx, transaction, waiting)
  return { transaction, attempt: waiting }
}

async function waitForAuthorization(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  answer: Unknown | Pending | ApprovalRequired,
): Promise<transactions.StoredTransaction> {
  const isPending = transaction.status === 'processing' || transaction.status === 'buyer_approval_pending'
  if (answer.outcome === 'unknown' || !isPending) return transaction
  const known = { payment_service_transaction_id: answer.reference, outcome: outcomeOf(answer.facts) }
  if (answer.outcome === 'pending') return transactions.change(tx, transaction, known)
  // Set once: the buyer is not given more time each time that the provider is asked.
  const isWaiting = transaction.status === 'buyer_approval_pending'
  const approval_expires_at =
    (isWaiting ? transaction.outcome.approval_expires_at : null) ??
    new Date(tx.clock().getTime() + APPROVAL_MS).toISOString()
  const after = await transactions.change(tx, transaction, {
    ...known,
    status: 'buyer_approval_pending',
    outcome: { ...known.outcome, approval_url: answer.approvalUrl, approval_expires_at },
  })
  await tellStatus(tx, transaction.status, after)
  return after
}

async function tellPending(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  { operation, subject_id, reference }: attempts.Attempt,
): Promise<void> {
  // Others let go of what a failed payment, or another service, holds.
  const isVoiding = operation === 'void' && transaction.status === 'authorization_void_pending'
  if (isVoiding) await events.publish(tx, ['transaction.void-pending'], toTarget(transaction))
  if (operation === 'capture') {
    const capture = await captures.find(tx, { transactionId: transaction.id, id: subject_id ?? '' })
    await events.publish(tx, ['transaction.capture-pending'], toTarget(transaction))
    if (!capture) return
    const known =
      reference === null
        ? capture
        : await captures.change(tx, capture, { status: 'pending', payment_service_capture_id: reference })
    await events.publish(tx, ['capture.pending'], toCapture(transaction, known))
  }
  if (operation === 'refund') {
    const refund = await refunds.find(tx, subject_id ?? '')
    if (!refund) return
    const known =
      reference === null ? refund : await refunds.change(tx, refund, { payment_service_refund_id: reference })
    await events.publish(tx, ['refund.pending'], toRefund(transaction, known))
  }
}
