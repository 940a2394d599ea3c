import type { Scope, Tx } from '#platform/database/db.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { giveBack, isGiftCardsOnly, keepRedeemed } from '../gift-cards/end-hold.ts'
import type { AntiFraud } from '../review.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'
import { recordCapture } from './record-capture.ts'
import { releaseHold } from './release-hold.ts'

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
