import type { Scope, Tx } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { isHeldBack, isRejected } from '../review.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { tellStatus } from '../tell.ts'
import { finishSession, keepCard } from './finish-card.ts'
import { recordCapture } from './record-capture.ts'
import { rememberForSeries } from './remember-for-series.ts'
import { releaseRejected } from './resolve-review.ts'

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
