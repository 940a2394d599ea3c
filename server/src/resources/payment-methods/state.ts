/** A decline that says the card itself is no longer good. */
const CARD_IS_GONE = new Set([
  'canceled_payment_method',
  'expired_payment_method',
  'unavailable_payment_method',
  'unknown_payment_method',
])

export type Found = { readonly hasNewNumber: boolean }
export type Reason = { readonly kind: 'expired' } | { readonly kind: 'declined'; readonly code: string }

/** What to do with new card details when they are found. */
export function afterFinding({ hasNewNumber }: Found, isExpired: boolean): 'apply' | 'hold' {
  // A new date on the same number cannot harm a payment. A new number replaces one that may still work.
  return !hasNewNumber || isExpired ? 'apply' : 'hold'
}

/** Whether to apply waiting details now. Without such a reason, the existing ones stay. */
export function isTimeToReplace(hasReplacement: boolean, reason: Reason): boolean {
  if (!hasReplacement) return false
  return reason.kind === 'expired' || CARD_IS_GONE.has(reason.code)
}
