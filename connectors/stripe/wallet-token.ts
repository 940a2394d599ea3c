import type { OfferedToken, Secret } from '#connectors/contract/orders.ts'
import { isObject, text } from './wire.ts'

const NOT_OURS = 'Stripe takes Apple Pay and Google Pay as a token of Stripe (tok_…), and no other'

/** Stripe opens no wallet for others, and takes no network token that others have opened. */
export function obstacleTo(offered: OfferedToken): string | null {
  const isOurs = offered.kind === 'wallet' && offered.token !== null && tokenOf(offered.token) !== null
  return isOurs ? null : NOT_OURS
}

/**
 * The id of the token that Stripe has made of a wallet's payment: Google Pay gives one to pages that name Stripe as their gateway,
 * and Stripe's own libraries make one of Apple Pay. Null: it is none.
 */
export function tokenOf(token: Secret): string | null {
  const id = token.use((bytes) => idIn(String(bytes)))
  return id !== null && /^tok_\w{1,250}$/.test(id) ? id : null
}

function idIn(given: string): string | null {
  try {
    const token: unknown = JSON.parse(given)
    return isObject(token) ? text(token['id']) : null
  } catch {
    return given
  }
}
