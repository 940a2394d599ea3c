import type { Scope, Tx } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import * as transactionEvents from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'

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
export async function keepReturned(
  tx: Scope<Tx>,
  { transaction, attempt }: Returned,
): Promise<StoredTransaction> {
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
