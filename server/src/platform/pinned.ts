import { isDeepStrictEqual } from 'node:util'
import type { ErrorDetail } from './errors.ts'

/** What a browser's token fixes, so that the page it runs in cannot change it. */
const PINNABLE = [
  'amount',
  'currency',
  'buyer_id',
  'buyer_external_identifier',
  'metadata',
  'cart_items',
  'merchant_account_id',
  'connection_options',
] as const

export type Pinned = Readonly<Partial<Record<(typeof PINNABLE)[number] | 'checkout_session_id', unknown>>>

/** Reads the pinned values from a token's claims. Older clients write the amount as text. */
export function readPinned(claims: Readonly<Record<string, unknown>>): Pinned {
  const embed = isObject(claims['embed']) ? claims['embed'] : {}
  const pinned: Record<string, unknown> = {}
  for (const name of PINNABLE)
    if (embed[name] !== undefined && embed[name] !== null) pinned[name] = embed[name]
  if (typeof pinned['amount'] === 'string' && /^\d{1,15}$/.test(pinned['amount'])) {
    pinned['amount'] = Number(pinned['amount'])
  }
  // An id is the same in either case, and says it all when a reference is pinned beside it.
  if (typeof pinned['buyer_id'] === 'string') {
    pinned['buyer_id'] = pinned['buyer_id'].toLowerCase()
    delete pinned['buyer_external_identifier']
  }
  if (typeof claims['checkout_session_id'] === 'string')
    pinned['checkout_session_id'] = claims['checkout_session_id']
  return pinned
}

type Part = Record<string, unknown>

/** Fills in what the token pins and the request leaves out, and complains about what contradicts it. */
export function applyPinned(
  operation: { readonly embed?: true; readonly body?: object; readonly query?: object },
  caller: { readonly isEmbed: boolean; readonly pinned: Pinned },
  location: 'body' | 'query',
  part: unknown,
): ErrorDetail[] {
  const schema = operation[location] as { properties?: Part } | undefined
  if (!operation.embed || !caller.isEmbed || !schema?.properties || !isObject(part)) return []
  return Object.entries(caller.pinned).flatMap(([name, value]): ErrorDetail[] => {
    // A URL holds text; what is an object in the token has no place there.
    const hasPlace =
      Object.hasOwn(schema.properties ?? {}, name) && (location === 'body' || typeof value !== 'object')
    if (!hasPlace) return []
    if (part[name] === undefined || part[name] === null) {
      part[name] = value
      return []
    }
    const given = name === 'buyer_id' ? String(part[name]).toLowerCase() : part[name]
    if (isDeepStrictEqual(given, value)) return []
    return [{ location, pointer: `/${name}`, type: 'value_error.conflict', message: 'contradicts the token' }]
  })
}

function isObject(value: unknown): value is Part {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
