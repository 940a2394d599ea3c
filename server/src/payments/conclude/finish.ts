import type { Scope, Tx } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { dueIfLeft } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { giveBack, isGiftCardsOnly, keepRedeemed, reverseAll } from '../gift-cards/redemptions.ts'
import { toCapture } from '../show.ts'
import * as state from '../state.ts'
import { type AntiFraud, FAILED, isHeldBack, isRejected } from '../state.ts'
import * as captures from '../store/captures.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'
import { endUnpaid, finishSession, keepCard } from './end.ts'
import { releaseHold } from './void.ts'

/** All gift cards have paid. The payment method's hold is captured, or waits for a capture. */
export async function finishPayment(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
): Promise<transactions.StoredTransaction> {
  const { payment_service_id, intent } = transaction
  const isHeld = isHeldBack(transaction)
  const hasPaymentMethod = payment_service_id !== null
  const isTaken = !hasPaymentMethod && !isHeld
  const now = tx.clock().toISOString()
  const stored = await keepCard(tx, engine, transaction)
  const after = await transactions.change(tx, transaction, {
    ...state.afterRedemptions(transaction, { hasPaymentMethod, isHeldBack: isHeld }),
    ...(stored !== null && { payment_method_id: stored }),
    ...(!hasPaymentMethod && { outcome: isTaken ? { captured_at: now } : { authorized_at: now } }),
  })
  await finishSession(tx, engine.vault, after, true)
  await rememberForSeries(tx, after)
  if (payment_service_id !== null && intent === 'capture' && !isHeld) {
    await recordCapture(tx, engine, after, {
      is_direct_capture: false,
      service_id: payment_service_id,
    })
  }
  await tellStatus(tx, transaction.status, after)
  return isRejected(after) ? releaseRejected(tx, engine, after) : after
}

/** Records a capture: done if the money was captured in one step, otherwise queued. */
export async function recordCapture(
  tx: Scope<Tx>,
  { providers }: Engine,
  after: transactions.StoredTransaction,
  { is_direct_capture, service_id }: Pick<attempts.Attempt, 'is_direct_capture' | 'service_id'>,
): Promise<void> {
  const capture = await captures.insert(tx, {
    transaction_id: after.id,
    amount: after.authorized_amount,
    is_final: true,
    status: is_direct_capture ? 'succeeded' : 'pending',
    ...(is_direct_capture && {
      payment_service_capture_id: after.payment_service_transaction_id,
      outcome: after.outcome,
    }),
  })
  if (is_direct_capture) return events.publish(tx, ['capture.succeeded'], toCapture(after, capture))
  const asked = {
    transaction_id: after.id,
    kind: 'capture',
    subject_id: capture.id,
    service_id,
    amount: capture.amount,
  } as const
  // This request sends the capture. The job sends it if the merchant did not want to wait, or if the process
  // dies.
  const isLater = after.document.order.async_capture
  await attempts.queue(tx, asked, isLater ? tx.clock() : dueIfLeft(tx.clock(), providers.timeoutMs))
}

/** Later payments with a stored card refer to the buyer's own payment. */
export async function rememberForSeries(
  tx: Scope<Tx>,
  { payment_method_id, merchant_initiated, payment_method_scheme, outcome }: transactions.StoredTransaction,
): Promise<void> {
  if (payment_method_id === null || merchant_initiated || !outcome.scheme_transaction_id) return
  await paymentMethods.update(tx, payment_method_id, {
    scheme_transaction_id: outcome.scheme_transaction_id,
    scheme_transaction_id_scheme: payment_method_scheme as paymentMethods.StoredMethod['scheme'],
    ...(outcome.transaction_link_id && { transaction_link_id: outcome.transaction_link_id }),
  })
}

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

/**
 * An outcome that we learn after the operation was answered gets its own audit entry. Its actor is the
 * source: the caller of a sync, the provider that notifies us, or the job.
 */
export function recordOutcome(
  tx: Scope<Tx>,
  { id, currency, amount }: Pick<StoredTransaction, 'id' | 'currency' | 'amount'>,
): Promise<void> {
  return auditLogs.record(tx, 'updated', { type: 'transaction', id, name: `${currency} ${amount}` })
}

/**
 * A reviewer has decided about a payment. If its money is held, it is captured or released now, otherwise
 * once it is held. If the merchant has captured or voided the payment meanwhile, it stays as it is.
 */
export async function resolveReview(
  tx: Scope<Tx>,
  engine: Engine,
  before: transactions.StoredTransaction,
  antiFraud: AntiFraud,
): Promise<void> {
  const isHeld = state.isAuthorized(before)
  const outcome = { anti_fraud: antiFraud }
  if (antiFraud.review === 'rejected') {
    const rejected = await transactions.change(tx, before, { outcome })
    const after = isHeld ? await releaseRejected(tx, engine, rejected) : rejected
    await recordReview(tx, state.isVoiding(after) ? 'voided' : 'updated', after)
    return
  }
  if (isHeld && isGiftCardsOnly(before)) {
    await keepRedeemed(tx, before, { outcome, alsoNames: ['transaction.review-accepted'] })
    return
  }
  const { payment_service_id, intent } = before
  const isTaken = isHeld && intent === 'capture' && payment_service_id !== null
  const change = isTaken ? state.afterReview(before) : {}
  const after = await transactions.change(tx, before, { ...change, outcome })
  if (isTaken)
    await recordCapture(tx, engine, after, { is_direct_capture: false, service_id: payment_service_id })
  await recordReview(tx, isTaken ? 'captured' : 'updated', after)
  await tellStatus(tx, before.status, after, ['transaction.review-accepted'])
}

/** Records the decision, and what it does with the money. */
function recordReview(
  tx: Scope<Tx>,
  action: 'captured' | 'voided' | 'updated',
  { id, currency, authorized_amount }: transactions.StoredTransaction,
): Promise<void> {
  return auditLogs.record(tx, action, { type: 'transaction', id, name: `${currency} ${authorized_amount}` })
}

/** Releases the hold of a rejected payment. A hold of zero needs no release. */
export async function releaseRejected(
  tx: Scope<Tx>,
  engine: Engine,
  before: transactions.StoredTransaction,
): Promise<transactions.StoredTransaction> {
  const { id, authorized_amount, payment_service_id } = before
  if (isGiftCardsOnly(before)) return giveBack(tx, engine, before)
  if (authorized_amount === 0 || payment_service_id === null) return before
  const after = await transactions.change(tx, before, state.VOIDING)
  await recordStatus(tx, before.status, after)
  const hold = {
    transaction_id: id,
    subject_id: null,
    service_id: payment_service_id,
    amount: authorized_amount,
  }
  await releaseHold(tx, hold, dueIfLeft(tx.clock(), engine.providers.timeoutMs))
  return after
}
