/** The parameter by which we know that the buyer has pressed "cancel" at PayPal. */
export const CANCELLED = 'paypal_cancelled'

/** PayPal sends the buyer back to one of these, and adds `token` and `PayerID`. */
export function returnAddresses(redirectUrl: string): { return_url: string; cancel_url: string } {
  const cancelled = new URL(redirectUrl)
  cancelled.searchParams.set(CANCELLED, 'true')
  return { return_url: redirectUrl, cancel_url: cancelled.href }
}
