import type { LateFailure } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import { findBySubject } from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { flagAgain } from '#resources/payment-service-reports/ingest/apply-lines.ts'
import { doWhatIsQueued } from '../attempts/resolve.ts'
import { concludePayment, lockPayment } from '../conclude/conclude.ts'
import { failCaptureLate, failRefundLate } from '../conclude/fail-late.ts'
import { isUndecided } from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { audit } from '../tell.ts'

const KINDS = { authorization: 'authorize', capture: 'capture', refund: 'refund' } as const

/** A provider says that a capture or a refund has failed which it had approved. Returns whether we know it. */
export async function takeLateFailure(
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  read: LateFailure,
): Promise<boolean> {
  const kind = KINDS[read.of]
  const found = await findBySubject(scope, { serviceId: paymentServiceId, subject: read, kind })
  if (!found) return false
  const attempt = attempts.ofPayment(found)
  const after = await inTransaction(scope, (tx) => failLate(tx, engine, attempt, read))
  if (after.has_gift_card_redemptions) await doWhatIsQueued(scope, engine, after.id)
  return true
}

async function failLate(
  tx: Scope<Tx>,
  engine: Engine,
  found: attempts.PaymentAttempt,
  reason: LateFailure,
): Promise<StoredTransaction> {
  const { subject, attempt } = await lockPayment(tx, found)
  const { transaction } = subject
  const after = await failAttempt(tx, engine, { transaction, attempt, reason })
  if (after === transaction) return after
  await audit(tx, 'updated', after)
  await flagAgain(tx, after, attempt.kind === 'refund' ? attempt.subject_id : null)
  return after
}

type Failing = {
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly reason: LateFailure
}

async function failAttempt(tx: Scope<Tx>, engine: Engine, failing: Failing): Promise<StoredTransaction> {
  const { attempt, transaction } = failing
  if (attempt.kind === 'authorize' && !attempt.is_direct_capture) return failHold(tx, engine, failing)
  if (attempt.kind === 'authorize' && !(await isOwnSale(tx, failing))) return keepReturned(tx, failing)
  const approved = attempt.due_at === null ? failing : await approve(tx, engine, failing)
  if (approved.attempt.state !== 'approved') return transaction
  const fail = attempt.kind === 'refund' ? failRefundLate : failCaptureLate
  return fail(tx, engine, approved)
}

/** The failure has overtaken its approval, which changes nothing if it arrives after this. */
async function approve(tx: Scope<Tx>, engine: Engine, failing: Failing): Promise<Failing> {
  const reference = failing.reason.reference ?? failing.attempt.reference ?? failing.attempt.id
  const answer = { outcome: 'approved', reference, facts: {} } as const
  const { transaction, attempt } = await concludePayment(tx, engine, { attempt: failing.attempt, answer })
  return { ...failing, transaction, attempt }
}

/** Nothing was captured with the authorization. If it is undecided, it fails now. */
async function failHold(
  tx: Scope<Tx>,
  engine: Engine,
  { attempt, transaction, reason }: Failing,
): Promise<StoredTransaction> {
  if (attempt.due_at === null) return transaction
  const { code, facts, reference } = reason
  const answer = { outcome: 'failed', code, isRetriable: false, reference, facts } as const
  return (await concludePayment(tx, engine, { attempt, answer })).transaction
}

/** Whether the payment was paid by this sale, or would be by its approval. */
async function isOwnSale(tx: Scope<Tx>, { attempt, transaction }: Failing): Promise<boolean> {
  if (attempt.due_at !== null) return isUndecided(transaction)
  return attempt.state === 'approved' && !(await history.isReleased(tx, attempt))
}

type Returned = {
  /** The payment, whose lock the caller holds. */
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
}

/**
 * The provider has returned a sale that came too late for its payment. The merchant must not refund it as well. The
 * attempt counts as approved, so that an approval that arrives after this is no news, and a refund that is queued is not
 * sent. The payment stays as it is.
 */
async function keepReturned(tx: Scope<Tx>, { transaction, attempt }: Returned): Promise<StoredTransaction> {
  const isNews = attempt.state !== 'approved'
  if (isNews) await attempts.change(tx, attempt, { state: 'approved', due_at: null, error_code: null })
  const refunds = (await attempts.openOf(tx, transaction.id)).filter(
    (open) => attempts.isStray(open) && open.subject_id === attempt.id && open.state === 'queued',
  )
  for (const refund of refunds) {
    await attempts.change(tx, refund, { state: 'failed', due_at: null, error_code: 'returned_by_provider' })
  }
  if (!isNews && refunds.length === 0) return transaction
  const context = {
    attempt_id: attempt.id,
    operation: attempt.kind,
    settled_as: attempt.state,
    told: 'late_failure',
  }
  await transactionEvents.record(tx, transaction.id, [{ name: 'transaction-sync-failed-event', context }])
  return transaction
}
