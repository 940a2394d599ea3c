import { errors, inBody } from '#platform/http/errors.ts'
import type { RefundCreate } from '#resources/transactions/wire/refund.ts'

/** The amount that the caller names, or all that is left. */
export function readAmount({ amount }: Pick<RefundCreate, 'amount'>, rest: number): number {
  const wanted = amount ?? rest
  if (wanted > rest || wanted === 0) {
    const message = rest === 0 ? 'nothing is left to refund' : `more than is left to refund: ${rest}`
    throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
  }
  return wanted
}
