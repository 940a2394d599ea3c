import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { letGoOfRejected } from '../anti-fraud/resolve-review.ts'
import { isHeldBack, isRejected } from '../anti-fraud/review.ts'
import { timedOut } from '../approval/fail-approval.ts'
import { factsOf, outcomeOf, referenceOf } from '../attempts/answer.ts'
import { releaseLate } from '../attempts/note-contradiction.ts'
import type * as attempts from '../attempts/store.ts'
import { recordStatus, tellStatus } from '../events/tell.ts'
import { forgetNumbers } from '../gift-card-redemptions/forget-numbers.ts'
import { queueFirst } from '../gift-card-redemptions/queue.ts'
import { skipRest, unwind } from '../gift-card-redemptions/unwind.ts'
import { noteAdvice } from '../scheme-advices/obey.ts'
import * as state from '../state.ts'
import * as transactions from '../store.ts'
import { finishSession, forgetCard, keepCard } from './finish-card.ts'
import { recordCapture } from './record-capture.ts'
import { rememberForSeries } from './remember-for-series.ts'

type Case = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.Attempt
  readonly answer: state.Decided
}

/** A payment that waited to be authorized is decided. */
export async function settleAuthorization(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const { vault } = engine
  await noteAdvice(tx, transaction, answer)
  const isDirectCapture = attempt.is_direct_capture
  const isCaptureMeant = transaction.intent === 'capture' && !isHeldBack(transaction)
  const captureFollows = isCaptureMeant && !isDirectCapture
  const asked = attempt.amount
  const change = state.afterAuthorization(transaction, answer, { asked, isDirectCapture, captureFollows })
  if (change.status === undefined) return releaseLate(tx, transaction, attempt, answer)
  const isApproved = answer.outcome === 'approved'
  if (transaction.has_gift_card_redemptions) {
    return settleBesideGiftCards(tx, engine, { transaction, attempt, answer })
  }
  const now = tx.clock().toISOString()
  const late = lateFailure(tx, transaction, answer)
  const stored = isApproved ? await keepCard(tx, vault, transaction) : null
  if (!isApproved) await forgetCard(tx, vault, transaction)
  const after = await transactions.change(tx, transaction, {
    ...change,
    ...late,
    ...(stored !== null && { payment_method_id: stored }),
    payment_service_transaction_id: referenceOf(answer),
    outcome: {
      ...outcomeOf(factsOf(answer)),
      ...late?.outcome,
      ...(isApproved && { authorized_at: now }),
      ...(isApproved && isDirectCapture && { captured_at: now }),
    },
  })
  await finishSession(tx, vault, after, isApproved)
  if (isApproved) await rememberForSeries(tx, after)
  if (isApproved && isCaptureMeant) await recordCapture(tx, engine, after, attempt)
  await tellStatus(tx, transaction.status, after)
  return isApproved && isRejected(after) ? letGoOfRejected(tx, engine, after) : after
}

/** The payment method has given its part, or not. Only then are gift cards asked for theirs. */
async function settleBesideGiftCards(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const known = { payment_service_transaction_id: referenceOf(answer), outcome: outcomeOf(factsOf(answer)) }
  const late = lateFailure(tx, transaction, answer)
  if (answer.outcome !== 'approved') {
    await skipRest(tx, transaction)
    await forgetNumbers(tx, engine.vault, transaction)
    await forgetCard(tx, engine.vault, transaction)
    const status = answer.outcome === 'declined' ? 'authorization_declined' : 'authorization_failed'
    const after = await transactions.change(tx, transaction, {
      ...known,
      status,
      error_code: state.codeOf(answer),
      ...late,
      outcome: { ...known.outcome, ...late?.outcome },
    })
    await finishSession(tx, engine.vault, after, false)
    await tellStatus(tx, transaction.status, after)
    return after
  }
  const authorized = Math.min(answer.amount ?? attempt.amount, attempt.amount)
  const after = await transactions.change(tx, transaction, {
    ...known,
    status: 'processing',
    authorized_amount: authorized,
    capture_limit: authorized,
    outcome: { ...known.outcome, authorized_at: tx.clock().toISOString() },
  })
  await recordStatus(tx, transaction.status, after)
  // A provider that approves less than was asked for, unasked: its hold is released, and no gift card is redeemed.
  if (authorized < attempt.amount) return unwind(tx, engine, after, 'insufficient_funds')
  await queueFirst(tx, engine, after)
  return after
}

/** Whatever the provider calls it: the buyer had been given time, and did not approve. */
function lateFailure(tx: Scope<Tx>, transaction: transactions.StoredTransaction, { outcome }: state.Decided) {
  const now = tx.clock()
  const isFailure = outcome === 'failed' || outcome === 'not_found'
  return isFailure ? timedOut(transaction, { by: now, now }) : undefined
}
