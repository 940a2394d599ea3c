import type { Caller } from '../access/auth.ts'
import type { ErrorDetail } from './errors.ts'
import { child } from './explain.ts'

/**
 * A value of which any part may be missing, because its form was wrong. The caller is told of that
 * separately.
 */
export type Sound<Value> = Value extends readonly (infer Item)[]
  ? readonly (Sound<Item> | undefined)[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Sound<Value[Name]> | undefined }
    : Value

export type About = {
  readonly caller: Caller
  readonly now: Date
  /** Whether the form of all these fields is right. A check that compares fields asks this first. */
  readonly isRight: (...pointers: readonly string[]) => boolean
}

type Checked = {
  readonly check?: (
    parts: { readonly params: never; readonly query: never; readonly body: never },
    about: About,
  ) => ErrorDetail[]
  readonly body?: object
}

type Request = {
  readonly caller: Caller
  readonly now: Date
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/**
 * Everything that is wrong with a request: its form, and the meaning of the parts whose form is right. One
 * complaint for each field, in the order of the request.
 */
export function allComplaints(
  operation: Checked,
  request: Request,
  formal: readonly ErrorDetail[],
): ErrorDetail[] {
  const { caller, now } = request
  const params = soundParts(request.params, inPart(formal, 'path'))
  const query = soundParts(request.query, inPart(formal, 'query'))
  const body = soundParts(request.body, inPart(formal, 'body'))
  const isCheckable = operation.body === undefined || (body !== undefined && body !== null)
  const about: About = { caller, now, isRight: (...pointers) => pointers.every(isUntouched(formal)) }
  const meant = (isCheckable && operation.check?.({ params, query, body } as never, about)) || []
  return inOrderOf(request, onePerPlace([...formal, ...meant]))
}

/** A value without the parts that have complaints. `at` is its pointer in the body. */
export function soundParts<Value>(
  value: Value,
  complaints: readonly ErrorDetail[],
  at = '',
): Sound<Value> | undefined {
  // Returns the value itself if nothing is wrong, because checks fill in defaults.
  if (complaints.length === 0) return value as Sound<Value>
  return keep(value, at, new Set(complaints.map(({ pointer }) => pointer))) as Sound<Value> | undefined
}

/** Keeps the names of removed parts, because some shapes are told apart by their names. */
function keep(value: unknown, pointer: string, wrong: ReadonlySet<string>): unknown {
  if (wrong.has(pointer)) return undefined
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item, index) => keep(item, `${pointer}/${index}`, wrong))
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, inner]) => [name, keep(inner, child(pointer, name), wrong)]))
}

function isUntouched(formal: readonly ErrorDetail[]): (pointer: string) => boolean {
  return (pointer) => !formal.some((detail) => isSameOrInside(detail.pointer, pointer))
}

function isSameOrInside(pointer: string, outer: string): boolean {
  return pointer === '' || pointer === outer || pointer.startsWith(`${outer}/`)
}

function inPart(details: readonly ErrorDetail[], location: ErrorDetail['location']): ErrorDetail[] {
  return details.filter((detail) => detail.location === location)
}

/**
 * Only the first complaint about a field counts. That an unknown currency also differs from the session's is
 * no help.
 */
function onePerPlace(details: readonly ErrorDetail[]): ErrorDetail[] {
  const places = new Map<string, ErrorDetail>()
  for (const detail of details) {
    const place = `${detail.location} ${detail.pointer}`
    if (!places.has(place)) places.set(place, detail)
  }
  return [...places.values()]
}

const LOCATIONS: readonly ErrorDetail['location'][] = ['header', 'path', 'query', 'body']

/** A missing field is sorted to where its object begins. */
function inOrderOf({ query, body }: Request, details: readonly ErrorDetail[]): ErrorDetail[] {
  if (details.length < 2) return [...details]
  const places = { header: new Map(), path: new Map(), query: placesIn(query), body: placesIn(body) }
  const rankOf = ({ location, pointer }: ErrorDetail): number => {
    let nearest = pointer
    while (nearest !== '' && !places[location].has(nearest))
      nearest = nearest.slice(0, nearest.lastIndexOf('/'))
    return places[location].get(nearest) ?? 0
  }
  const ranked = details.map((detail) => ({
    detail,
    part: LOCATIONS.indexOf(detail.location),
    rank: rankOf(detail),
  }))
  return ranked.toSorted((a, b) => a.part - b.part || a.rank - b.rank).map(({ detail }) => detail)
}

/**
 * The pointers of a value in the order in which it was written. Levels deeper than a request may have are
 * skipped.
 */
function placesIn(value: unknown): Map<string, number> {
  const places = new Map<string, number>()
  const walk = (inner: unknown, pointer: string, depth: number): void => {
    places.set(pointer, places.size)
    if (inner === null || typeof inner !== 'object' || depth > 32 || places.size > 20_000) return
    for (const [name, part] of Object.entries(inner)) walk(part, child(pointer, name), depth + 1)
  }
  walk(value, '', 0)
  return places
}
