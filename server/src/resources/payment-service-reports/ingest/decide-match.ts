import type { StoredLine, UnmatchedBecause } from '../lines/columns.ts'
import type { Candidate } from './find-payments.ts'

type Line = Pick<StoredLine, 'kind' | 'currency' | 'original_currency'>

/** The figures of a payment that decide whether a line fits. */
export type Fitting = {
  readonly currency: string
  readonly captured_amount: number
  readonly capturing_amount: number
  readonly settled_currency: string | null
}

/** Why a line does not fit the payment that was found for it. Null if it fits. */
export function objectionTo(
  line: Line,
  candidate: Candidate | undefined,
  payment: Fitting | undefined,
  refund: { readonly settled_currency: string | null } | undefined,
): UnmatchedBecause | null {
  if (!candidate || !payment) return 'unknown_reference'
  if (line.kind === 'refund_settlement' && !refund) return 'unknown_reference'
  if (candidate.attempt === 'open') return 'not_decided'
  if (candidate.attempt === 'refused') return 'not_succeeded'
  // The line names the authorization, or the payment: then it depends on the captures.
  const isTaken = payment.captured_amount > 0 || payment.settled_currency !== null
  if (line.kind !== 'refund_settlement' && !candidate.isCapture && !isTaken) {
    return payment.capturing_amount > 0 ? 'not_decided' : 'not_succeeded'
  }
  // A chargeback disputes the payment, in whatever currency the provider takes the money.
  const isDispute = line.kind === 'chargeback' || line.kind === 'chargeback_reversal'
  return !isDispute && isOtherCurrency(line, payment, refund) ? 'other_currency' : null
}

/** The provider exchanged another currency than that of the payment, or settles in another one than before. */
function isOtherCurrency(
  { kind, currency, original_currency }: Line,
  payment: Fitting,
  refund: { readonly settled_currency: string | null } | undefined,
): boolean {
  if ((original_currency ?? currency) !== payment.currency) return true
  const settled = kind === 'settlement' ? payment.settled_currency : (refund?.settled_currency ?? null)
  return settled !== null && settled !== currency
}
