import type { StoredTransaction } from '#payments/store/payments.ts'

/** Where the buyer returns after the decision. Null when the shop gave a data URL. */
export function returnUrl(transaction: StoredTransaction): string | null {
  const { redirect_url } = transaction.document
  if (redirect_url === null || redirect_url.startsWith('data:')) return null
  return withPayment(redirect_url, transaction)
}

/** A URL of the shop with the payment's id and status. Clients use both spellings of the names. */
export function withPayment(
  shopUrl: string,
  { id, status }: { readonly id: string; readonly status: string },
): string {
  const url = new URL(shopUrl)
  for (const prefix of ['', 'gr4vy_']) {
    url.searchParams.set(`${prefix}transaction_id`, id)
    url.searchParams.set(`${prefix}transaction_status`, status)
  }
  return url.href
}
