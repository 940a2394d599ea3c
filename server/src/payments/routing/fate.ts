import { isUndecided, isUnpaid } from '../state.ts'
import type { Row } from '../store/payments.ts'

/** What became of a payment, as far as payment services decide it. Voids and refunds come later, and change nothing here. */
export function fateOf(payment: Pick<Row, 'status'>): 'approved' | 'refused' | 'undecided' {
  if (isUndecided(payment)) return 'undecided'
  return isUnpaid(payment) ? 'refused' : 'approved'
}
