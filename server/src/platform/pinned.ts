import { isDeepStrictEqual } from 'node:util'
import type { ErrorDetail } from './errors.ts'

/**
 * What a browser token fixes, so that the page it runs in cannot change it. Grows by declaration merging: resources
 * declare the fields they let a token pin.
 */
export interface Pinned {
  readonly merchant_account_id?: unknown
}

/** Which fields a browser token can pin. Handed in: this folder only fills them in and compares. */
export type Pins = {
  /** Reads the pinned values from a token's claims. */
  readonly read: (claims: Readonly<Record<string, unknown>>) => Pinned
  /** What tells one page from another and stays the same when a page renews its token. */
  readonly pageOf: (pinned: Pinned) => Pinned
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
    if (isSameValue(part[name], value)) return []
    const message = 'contradicts the token; leave it out, or send what the token pins'
    return [{ location, pointer: `/${name}`, type: 'value_error.conflict', message }]
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether two values say the same. Null says as little as nothing, and an id is the same in either case. */
export function isSameValue(given: unknown, fixed: unknown): boolean {
  if (typeof given === 'string' && typeof fixed === 'string' && UUID.test(given)) {
    return given.toLowerCase() === fixed.toLowerCase()
  }
  return isDeepStrictEqual(withoutNulls(given), withoutNulls(fixed))
}

/** Nothing that is valid is nested deeper. Whether this is, has not been checked yet. */
const DEPTH_MAX = 32

function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return value
  if (Array.isArray(value)) return value.map((inner) => withoutNulls(inner, depth + 1))
  if (!isObject(value)) return value
  const said = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNulls(inner, depth + 1)]))
}

function isObject(value: unknown): value is Part {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
