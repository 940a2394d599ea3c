import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { dueIfLeft } from '../attempts/due.ts'
import * as attempts from '../attempts/store.ts'
import { toCapture } from '../captures/show.ts'
import * as captures from '../captures/store.ts'
import type * as transactions from '../store.ts'

/** Money that was taken at once is a capture too; money that is to be taken next is one that waits to be sent. */
export async function recordCapture(
  tx: Scope<Tx>,
  { providers }: Engine,
  after: transactions.StoredTransaction,
  {
    is_direct_capture,
    payment_service_id,
  }: Pick<attempts.Attempt, 'is_direct_capture' | 'payment_service_id'>,
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
  await attempts.insert(tx, {
    transaction_id: after.id,
    operation: 'capture',
    subject_id: capture.id,
    payment_service_id,
    amount: capture.amount,
    state: 'queued',
    // Taken by this very request, unless the merchant did not want to wait for it, or the process dies first.
    dueAt: after.document.order.async_capture ? tx.clock() : dueIfLeft(tx.clock(), providers.timeoutMs),
  })
}
