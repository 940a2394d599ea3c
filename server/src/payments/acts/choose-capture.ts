import type { Scope, Tx } from '#platform/database/db.ts'
import * as captures from '../store/captures.ts'
import * as refunds from '../store/refunds.ts'

/**
 * The oldest capture from which enough is left for a refund. The caller holds the payment's lock. Null if no single
 * capture has enough left.
 */
export async function chooseCapture(
  tx: Scope<Tx>,
  transactionId: string,
  amount: number,
): Promise<captures.StoredCapture | null> {
  const made = (await captures.listOf(tx, transactionId))
    .filter(({ status }) => status === 'succeeded')
    .reverse()
  const given = (await refunds.listOf(tx, transactionId)).filter(isTaken)
  const of = (id: string | null) => sumOf(given.filter((refund) => refund.capture_id === id))
  // Refunds that name no capture count against the oldest ones.
  let unnamed = of(null)
  for (const capture of made) {
    const rest = capture.amount - of(capture.id)
    const taken = Math.min(Math.max(rest, 0), unnamed)
    unnamed -= taken
    if (rest - taken >= amount && capture.payment_service_capture_id !== null) return capture
  }
  return null
}

/** A refund that is on its way counts as done. Those of gift cards come from no capture. */
function isTaken({ status, target_type }: refunds.StoredRefund): boolean {
  return target_type === 'payment-method' && (status === 'processing' || status === 'succeeded')
}

function sumOf(given: readonly refunds.StoredRefund[]): number {
  return given.reduce((sum, { amount }) => sum + amount, 0)
}
