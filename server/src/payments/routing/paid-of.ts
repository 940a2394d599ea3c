import type { Paid } from '#processing/scores/segments.ts'
import type { Payment } from './facts.ts'

/** What tells payments apart that fare differently at a service. */
export function paidOf(
  row: Pick<Payment['row'], 'method' | 'payment_method_scheme' | 'currency' | 'payment_method_country'>,
): Paid {
  return {
    method: row.method,
    scheme: row.payment_method_scheme,
    currency: row.currency,
    country: row.payment_method_country,
  }
}
