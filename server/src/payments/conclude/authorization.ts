import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { factsOf, type Open, referenceOf } from '#processing/attempts/conclude.ts'
import type { Engine } from '#processing/engine.ts'
import { paidOf } from '#processing/scores/score.ts'
import * as networkTokens from '#resources/payment-methods/network-tokens/store.ts'
import { approvalEnd, approvalUrl, sessionToken, timedOut } from '../approval.ts'
import { queueFirst } from '../gift-cards/redemptions.ts'
import { noteDecline } from '../routing/retry-advice.ts'
import * as state from '../state.ts'
import { isHeldBack, isRejected } from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'
import {
  type DecidedAttempt,
  endUnpaid,
  finishSession,
  forgetCodeOfSession,
  keepCard,
  outcomeOf,
  recordCapture,
  releaseRejected,
  rememberForSeries,
  unwind,
} from './finish.ts'
import { releaseLate } from './note-contradiction.ts'

/** Decides a payment that waits to be authorized. */
export async function concludeAuthorization(
  tx: Scope<Tx>,
  engine: Engine,
  found: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const { transaction, attempt, answer } = found
  if (answer.outcome !== 'approved') await noteDecline(tx, transaction, { attempt, answer, isGoingOn: false })
  // Other answers have taught when they came.
  if (state.isBuyerAsked(transaction))
    engine.scores.learn(tx, { serviceId: attempt.service_id, paid: paidOf(transaction), answer })
  if (!state.isUndecided(transaction)) return releaseLate(tx, transaction, attempt, answer)
  if (answer.outcome !== 'approved') return endRefused(tx, engine, found)
  if ((answer.amount ?? 0) > attempt.amount) await noteSurplus(tx, { ...found, answer })
  const after = transaction.has_gift_card_redemptions
    ? await goOnWithGiftCards(tx, engine, { ...found, answer })
    : await finishAuthorized(tx, engine, { ...found, answer })
  // Last: the card's row may have been changed by now. All who change both take the card first, then its token.
  if (attempt.instrument_type === 'network_token' && attempt.instrument_id !== null) {
    await networkTokens.markUsed(tx, attempt.instrument_id)
  }
  return after
}

type Approved = DecidedAttempt & {
  readonly answer: Extract<DecidedAttempt['answer'], { outcome: 'approved' }>
}

/** The buyer paid more than was asked, as with a transfer. The payment counts what was asked, and its history says the rest. */
function noteSurplus(tx: Scope<Tx>, { transaction, attempt, answer }: Approved): Promise<void> {
  const context = {
    attempt_id: attempt.id,
    operation: attempt.kind,
    asked_amount: attempt.amount,
    told_amount: answer.amount,
  }
  return transactionEvents.record(tx, transaction.id, [{ name: 'transaction-sync-failed-event', context }])
}

/** No service takes the payment. If the buyer did not approve in time, that is the reason. */
function endRefused(tx: Scope<Tx>, engine: Engine, { transaction, attempt, answer }: DecidedAttempt) {
  const now = tx.clock()
  const late = answer.outcome === 'declined' ? undefined : timedOut(transaction, { by: now, now })
  return endUnpaid(tx, engine, transaction, {
    ...changeBy(transaction, attempt, answer),
    ...late,
    payment_service_transaction_id: referenceOf(answer),
    outcome: { ...outcomeOf(factsOf(answer), attempt.amount), ...late?.outcome },
  })
}

/** The money is held, or captured in one step. */
async function finishAuthorized(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Approved,
): Promise<transactions.StoredTransaction> {
  const { vault } = engine
  const now = tx.clock().toISOString()
  const stored = await keepCard(tx, engine, transaction)
  const after = await transactions.change(tx, transaction, {
    ...changeBy(transaction, attempt, answer),
    ...(stored !== null && { payment_method_id: stored }),
    payment_service_transaction_id: answer.reference,
    outcome: {
      ...outcomeOf(answer.facts, attempt.amount),
      authorized_at: now,
      ...(attempt.is_direct_capture && { captured_at: now }),
    },
  })
  await finishSession(tx, vault, after, true)
  await rememberForSeries(tx, after)
  if (isCaptureMeant(transaction)) await recordCapture(tx, engine, after, attempt)
  await tellStatus(tx, transaction.status, after)
  return isRejected(after) ? releaseRejected(tx, engine, after) : after
}

/**
 * A provider's message may overtake its answer, and know less: it concludes the payment, for example without the scheme's id, which
 * later payments of the buyer need. What the answer adds is kept. What was told stays.
 */
export async function learnMissing(
  tx: Scope<Tx>,
  {
    transaction,
    attempt,
    answer,
  }: Pick<DecidedAttempt, 'transaction' | 'attempt'> & { readonly answer: SyncAnswer },
): Promise<transactions.StoredTransaction> {
  if (answer.outcome !== 'approved' || answer.reference !== transaction.payment_service_transaction_id)
    return transaction
  const told = Object.entries(outcomeOf(answer.facts, attempt.amount))
  const known = transaction.outcome as Readonly<Record<string, unknown>>
  const missing = told.filter(([name, value]) => value != null && known[name] == null)
  if (missing.length === 0) return transaction
  const after = await transactions.change(tx, transaction, { outcome: Object.fromEntries(missing) })
  if (missing.some(([name]) => name === 'scheme_transaction_id')) await rememberForSeries(tx, after)
  return after
}

/** The payment method has paid its part. Now the gift cards are redeemed. */
async function goOnWithGiftCards(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Approved,
): Promise<transactions.StoredTransaction> {
  const authorized = Math.min(answer.amount ?? attempt.amount, attempt.amount)
  const after = await transactions.change(tx, transaction, {
    ...state.PROCESSING,
    payment_service_transaction_id: answer.reference,
    authorized_amount: authorized,
    capture_limit: authorized,
    outcome: { ...outcomeOf(answer.facts, attempt.amount), authorized_at: tx.clock().toISOString() },
  })
  await recordStatus(tx, transaction.status, after)
  // The provider approved less than we asked for, though we did not allow it. Its hold is released, and no
  // gift card is redeemed.
  if (authorized < attempt.amount) return unwind(tx, engine, after, 'insufficient_funds')
  await queueFirst(tx, engine, after)
  return after
}

function changeBy(
  transaction: transactions.StoredTransaction,
  { amount, is_direct_capture: isDirectCapture }: DecidedAttempt['attempt'],
  answer: DecidedAttempt['answer'],
) {
  const captureFollows = isCaptureMeant(transaction) && !isDirectCapture
  return state.afterAuthorization(transaction, answer, { asked: amount, isDirectCapture, captureFollows })
}

function isCaptureMeant(transaction: transactions.StoredTransaction): boolean {
  return transaction.intent === 'capture' && !isHeldBack(transaction)
}

/** The time for the buyer is over, and must not end a debit that the buyer has permitted. */
async function waitForBank(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  known: Pick<transactions.Row, 'payment_service_transaction_id' | 'outcome'>,
): Promise<transactions.StoredTransaction> {
  const unasked = {
    approval_url: null,
    approval_frame_url: null,
    approval_expires_at: null,
    session_token: null,
  }
  const after = await transactions.change(tx, transaction, {
    ...known,
    ...state.PROCESSING,
    outcome: { ...known.outcome, ...unasked },
  })
  await tellStatus(tx, transaction.status, after)
  return after
}

/** The provider has not decided yet, or wants the buyer to approve on its own page. */
export async function waitForAuthorization(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
  answer: Open,
): Promise<transactions.StoredTransaction> {
  const { vault, secrets } = engine
  if (answer.outcome === 'unknown') return transaction
  // The provider has received the security code.
  await forgetCodeOfSession(tx, vault, transaction)
  if (!state.isUndecided(transaction)) return transaction
  const known = { payment_service_transaction_id: answer.reference, outcome: outcomeOf(answer.facts) }
  if (answer.outcome === 'pending')
    return answer.isPermitted && state.isBuyerAsked(transaction)
      ? waitForBank(tx, transaction, known)
      : transactions.change(tx, transaction, known)
  // Set once, so that an inquiry does not give the buyer more time.
  const approval_expires_at =
    (state.isBuyerAsked(transaction) ? transaction.outcome.approval_expires_at : null) ??
    approvalEnd(tx.clock, answer.expiresAt).toISOString()
  const { approval } = answer
  const ourUrl = approvalUrl(engine, transaction)
  const after = await transactions.change(tx, transaction, {
    ...known,
    ...state.BUYER_ASKED,
    outcome: {
      ...known.outcome,
      approval_url: approval.kind === 'redirect' ? approval.url : ourUrl,
      approval_frame_url: approval.kind === 'redirect' && approval.isForFrames ? ourUrl : null,
      approval_expires_at,
      session_token: answer.hasSession ? sessionToken(secrets, transaction) : null,
    },
  })
  await tellStatus(tx, transaction.status, after)
  return after
}
