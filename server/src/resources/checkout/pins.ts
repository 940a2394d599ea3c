import type { Pinned, Pins } from '#platform/access/auth.ts'

/** What the merchant's server can pin in the claim `embed` of a browser token. */
export const PINNABLE = [
  'amount',
  'currency',
  'country',
  'intent',
  'external_identifier',
  'buyer_id',
  'buyer_external_identifier',
  'metadata',
  'cart_items',
  'merchant_account_id',
  'connection_options',
] as const

type Fields = Readonly<Partial<Record<(typeof PINNABLE)[number] | 'checkout_session_id', unknown>>>

declare module '#platform/access/auth.ts' {
  interface Pinned extends Fields {}
}

export const PINS: Pins = { read: readPinned, pageOf }

/** Older clients send the amount as text. */
function readPinned(claims: Readonly<Record<string, unknown>>): Pinned {
  const embed = isObject(claims['embed']) ? claims['embed'] : {}
  const pinned: Record<string, unknown> = {}
  for (const name of PINNABLE)
    if (embed[name] !== undefined && embed[name] !== null) pinned[name] = embed[name]
  if (typeof pinned['amount'] === 'string' && /^\d{1,15}$/.test(pinned['amount'])) {
    pinned['amount'] = Number(pinned['amount'])
  }
  // Ids are case-insensitive. Beside the id, an external identifier of the buyer adds nothing.
  if (typeof pinned['buyer_id'] === 'string') {
    pinned['buyer_id'] = pinned['buyer_id'].toLowerCase()
    delete pinned['buyer_external_identifier']
  }
  if (typeof claims['checkout_session_id'] === 'string')
    pinned['checkout_session_id'] = claims['checkout_session_id']
  return pinned
}

function pageOf(pinned: Pinned): Pinned {
  const { checkout_session_id, buyer_id, buyer_external_identifier } = pinned
  if (checkout_session_id !== undefined) {
    return { checkout_session_id: String(checkout_session_id).toLowerCase() }
  }
  if (buyer_id !== undefined) return { buyer_id }
  if (buyer_external_identifier !== undefined) return { buyer_external_identifier }
  return pinned
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
