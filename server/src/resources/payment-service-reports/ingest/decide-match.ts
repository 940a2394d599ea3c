import type { StoredLine, UnmatchedBecause } from '../lines/columns.ts'
import type { Candidate } from './find-payments.ts'

type Line = Pick<StoredLine, 'kind' | 'currency' | 'original_currency'>

/** What was found for a line, and the figures that decide whether it fits. */
export type Found = {
  readonly candidate: Candidate | undefined
  readonly payment: Fitting | undefined
  readonly refund: FittingRefund | undefined
  /** The line is about a sale that came after the payment had ended. We refund it. */
  readonly isLateSale: boolean
}

type Fitting = {
  readonly currency: string
  readonly captured_amount: number
  readonly capturing_amount: number
  readonly settled_currency: string | null
}

type FittingRefund = { readonly status: string; readonly settled_currency: string | null }

/** Why a line does not fit the payment that was found for it. Null if it fits. */
export function objectionTo(line: Line, found: Found): UnmatchedBecause | null {
  const { candidate, payment, refund } = found
  if (!candidate || !payment) return 'unknown_reference'
  // A chargeback disputes the payment, whenever the money came and in whatever currency the provider takes it.
  const isDispute = line.kind === 'chargeback' || line.kind === 'chargeback_reversal'
  if (found.isLateSale) return isDispute ? null : 'late_sale'
  if (candidate.attempt === 'open') return 'not_decided'
  if (candidate.attempt === 'refused') return 'not_succeeded'
  if (line.kind === 'refund_settlement') return objectionToRefund(line, candidate, payment, refund)
  // The line names the authorization, or the payment: then it depends on the captures.
  const isTaken = payment.captured_amount > 0 || payment.settled_currency !== null
  if (!candidate.isCapture && !isTaken) return payment.capturing_amount > 0 ? 'not_decided' : 'not_succeeded'
  return !isDispute && isOtherCurrency(line, payment.currency, payment.settled_currency)
    ? 'other_currency'
    : null
}

function objectionToRefund(
  line: Line,
  candidate: Candidate,
  payment: Fitting,
  refund: FittingRefund | undefined,
): UnmatchedBecause | null {
  if (candidate.isRefundOfLateSale) return 'late_sale'
  if (!refund) return 'unknown_reference'
  // No attempt says what became of it. What was settled once may be taken back after it has failed.
  if (candidate.attempt === 'none' && refund.settled_currency === null) {
    if (refund.status === 'processing') return 'not_decided'
    if (refund.status !== 'succeeded') return 'not_succeeded'
  }
  return isOtherCurrency(line, payment.currency, refund.settled_currency) ? 'other_currency' : null
}

/** The provider exchanged another currency than that of the payment, or settles in another one than before. */
function isOtherCurrency(
  { currency, original_currency }: Line,
  paidIn: string,
  settledIn: string | null,
): boolean {
  return (original_currency ?? currency) !== paidIn || (settledIn !== null && settledIn !== currency)
}
