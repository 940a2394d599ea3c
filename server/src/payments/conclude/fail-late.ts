import type { LateFailure } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { toCapture, toRefund, toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactionEvents from '../store/events.ts'
import type * as transactions from '../store/payments.ts'
import * as refunds from '../store/refunds.ts'
import { changeUndone, endIfUndone, outcomeOf } from './finish.ts'

/** Why an operation failed after the provider had approved it. */
type Reason = Pick<LateFailure, 'failedAt' | 'facts'> & { readonly code: LateFailure['code'] | 'canceled' }

type Failed = {
  /** The payment, whose lock the caller holds. */
  readonly transaction: transactions.StoredTransaction
  readonly attempt: PaymentAttempt
  readonly reason: Reason
}

/** A capture fails that had succeeded. Returns the payment as it was if the capture has failed before. */
export async function failCaptureLate(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, reason }: Failed,
): Promise<transactions.StoredTransaction> {
  const capture = await captureOf(tx, transaction, attempt)
  if (capture?.status !== 'succeeded') return transaction
  const { amount, is_final: isFinal } = capture
  const failed = await captures.change(tx, capture, {
    status: 'failed',
    error_code: reason.code,
    outcome: outcomeOf(reason.facts),
  })
  const others = (await captures.listOf(tx, transaction.id))
    .filter(({ id, status }) => id !== capture.id && status === 'succeeded')
    .reduce((sum, other) => sum + other.amount, 0)
  const change = state.afterLateCaptureFailure(transaction, { amount, isFinal, others })
  const after = await changeUndone(tx, transaction, change)
  const name = 'payment-connector-response-transaction-capture-failed'
  const uncollected = after.uncollected_amount - transaction.uncollected_amount
  const context = { ...contextOf(attempt, reason), amount, uncollected_amount: uncollected }
  await transactionEvents.record(tx, transaction.id, [{ name, context }])
  await events.publish(tx, ['capture.failed'], toCapture(after, failed))
  await events.publish(tx, ['transaction.capture-failed'], toTarget(after))
  await endIfUndone(tx, engine, transaction, after)
  return after
}

/** A refund fails that had succeeded. Its amount can be refunded again. */
export async function failRefundLate(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, reason }: Failed,
): Promise<transactions.StoredTransaction> {
  const refund = await refunds.find(tx, attempt.subject_id ?? '')
  if (refund?.status !== 'succeeded') return transaction
  const change = state.afterLateRefundFailure(transaction, refund.amount)
  const after = await changeUndone(tx, transaction, change)
  const failed = await refunds.change(tx, refund, {
    status: 'failed',
    error_code: reason.code,
    outcome: outcomeOf(reason.facts),
  })
  const name = 'payment-connector-response-transaction-refund-failed'
  const context = { ...contextOf(attempt, reason), refund_id: refund.id, amount: refund.amount }
  await transactionEvents.record(tx, transaction.id, [{ name, context }])
  await events.publish(tx, ['refund.failed'], toRefund(after, failed))
  await endIfUndone(tx, engine, transaction, after)
  return after
}

function contextOf(attempt: PaymentAttempt, { code, failedAt, facts }: Reason) {
  return {
    attempt_id: attempt.id,
    operation: attempt.kind === 'refund' ? 'refund' : 'capture',
    payment_service_id: attempt.service_id,
    status: 'failed',
    code,
    failed_at: failedAt,
    raw_response_code: facts.rawCode ?? null,
    raw_response_description: facts.rawDescription ?? null,
  }
}

/** The capture of an attempt. A payment that was captured in one step has it from then on: it is the oldest. */
async function captureOf(
  tx: Scope<Tx>,
  { id: transactionId, payment_service_id }: transactions.StoredTransaction,
  { kind, subject_id, service_id, reference }: PaymentAttempt,
): Promise<captures.StoredCapture | undefined> {
  if (kind === 'capture') return captures.find(tx, { transactionId, id: subject_id ?? '' })
  const oldest = (await captures.listOf(tx, transactionId)).at(-1)
  // A sale that came too late has none. The oldest may then be that of another service.
  const isOwn = service_id === payment_service_id && oldest?.payment_service_capture_id === reference
  return isOwn ? oldest : undefined
}
