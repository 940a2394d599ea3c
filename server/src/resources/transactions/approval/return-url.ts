import type { StoredTransaction } from '../store.ts'

/**
 * Where the buyer goes when the payment is decided, with what came of it. Both spellings of the names are in use among
 * clients. Null where the shop gave no address that a browser can go to.
 */
export function returnUrl({ id, status, document }: StoredTransaction): string | null {
  const { redirect_url } = document
  if (redirect_url === null || !/^https?:/.test(redirect_url)) return null
  const url = new URL(redirect_url)
  for (const prefix of ['', 'gr4vy_']) {
    url.searchParams.set(`${prefix}transaction_id`, id)
    url.searchParams.set(`${prefix}transaction_status`, status)
  }
  return url.href
}
