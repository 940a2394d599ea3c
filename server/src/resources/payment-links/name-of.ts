import type { StoredLink } from './store.ts'

/** The link's name in the audit log. */
export function nameOf({ currency, amount }: Pick<StoredLink, 'currency' | 'amount'>): string {
  return `${currency} ${amount}`
}
