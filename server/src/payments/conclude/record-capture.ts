import type { Scope, Tx } from '#platform/database/db.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { toCapture } from '../show-capture.ts'
import * as captures from '../store/captures.ts'
import type * as transactions from '../store/payments.ts'

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
