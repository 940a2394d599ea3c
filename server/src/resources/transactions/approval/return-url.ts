import type { StoredTransaction } from '../store.ts'

/**
 * Where the buyer goes when the payment is decided, with what came of it. Both spellings of the names are in use among
 * clients. Null where the shop gave data instead of an address.
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
