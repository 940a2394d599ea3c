import type { StoredTransaction } from '../store.ts'

/**
 * Where the buyer returns after the decision, with the payment's id and status. Clients use both spellings of
 * the names. Null when the shop gave a data URL.
 */
export function returnUrl({ id, status, document }: StoredTransaction): string | null {
  const { redirect_url } = document
  if (redirect_url === null || redirect_url.startsWith('data:')) return null
  const url = new URL(redirect_url)
  for (const prefix of ['', 'gr4vy_']) {
    url.searchParams.set(`${prefix}transaction_id`, id)
    url.searchParams.set(`${prefix}transaction_status`, status)
  }
  return url.href
}
