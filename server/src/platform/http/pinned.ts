import { isDeepStrictEqual } from 'node:util'
import type { ErrorDetail } from './errors.ts'

/**
 * The values that a browser token pins, so that its page cannot change them. Grows by declaration merging:
 * resources declare the fields that a token can pin.
 */
export interface Pinned {
  readonly merchant_account_id?: unknown
}

/** Which fields a browser token can pin. Passed in: this folder only fills them in and compares. */
export type Pins = {
  /** Reads the pinned values from a token's claims. */
  readonly read: (claims: Readonly<Record<string, unknown>>) => Pinned
  /** The values that identify a page and stay the same when it renews its token. */
  readonly pageOf: (pinned: Pinned) => Pinned
}

type Part = Record<string, unknown>

/** Fills in pinned values that the request leaves out, and complains about contradictions. */
export function applyPinned(
  operation: { readonly embed?: true; readonly body?: object; readonly query?: object },
  caller: { readonly isEmbed: boolean; readonly pinned: Pinned },
  location: 'body' | 'query',
  part: unknown,
): ErrorDetail[] {
  const schema = operation[location] as { properties?: Part } | undefined
  if (!operation.embed || !caller.isEmbed || !schema?.properties || !isObject(part)) return []
  return Object.entries(caller.pinned).flatMap(([name, value]): ErrorDetail[] => {
    // A URL holds only text, so pinned objects do not apply to it.
    const hasPlace =
      Object.hasOwn(schema.properties ?? {}, name) && (location === 'body' || typeof value !== 'object')
    if (!hasPlace) return []
    if (part[name] === undefined || part[name] === null) {
      part[name] = value
      return []
    }
    if (isSameValue(part[name], value)) return []
    const message = 'leave it out, or send the value that the token pins'
    return [{ location, pointer: `/${name}`, type: 'value_error.conflict', message }]
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether two values are the same. Null counts as absent, and ids are case-insensitive. */
export function isSameValue(given: unknown, fixed: unknown): boolean {
  if (typeof given === 'string' && typeof fixed === 'string' && UUID.test(given)) {
    return given.toLowerCase() === fixed.toLowerCase()
  }
  return isDeepStrictEqual(withoutNulls(given), withoutNulls(fixed))
}

/** No valid value is nested deeper. This one is not checked yet. */
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
