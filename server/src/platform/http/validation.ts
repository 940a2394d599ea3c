import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { isRedirectUrl } from '#domain/redirect-url.ts'
import type { Caller } from '../access/auth.ts'
import { DETAILS_MAX, type ErrorDetail, errors } from './errors.ts'
import { child, explain } from './explain.ts'
import { CHECKED_URL, REDIRECT_URL } from './schemas.ts'
import type { TSchema } from './type.ts'

/** No request needs so many values, and complaints about each would take long. */
const VALUES_MAX = 20_000
/** Far more than any object takes, metadata included. */
const NAMES_MAX = 1_000
/** An order of so many lines is none. Each wrong object has several complaints, and each shape of a union its own. */
const OBJECTS_MAX = 2_000

type Location = ErrorDetail['location']

/**
 * Values are not converted: with coercion, `amount: true` would become a charge of 1, and `null` one of 0.
 */
const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  // Errors carry the schema that refused, for its message.
  verbose: true,
  // It takes a third of the time to compile, and spoils how objects are stored in the rest of the process (docs/decisions/speed.md).
  code: { optimize: false },
})
ajv.addKeyword({ keyword: 'expected', schemaType: 'string' })
ajv.addKeyword({ keyword: 'nulMeansNull', schemaType: 'boolean' })
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'object',
  schemaType: 'number',
  errors: false,
  validate: (limit: number, value: object) => Buffer.byteLength(JSON.stringify(value)) <= limit,
})
addFormats.default(ajv)
// The library's own format also accepts `urn:uuid:…`, which the database does not.
ajv.addFormat('uuid', isUuid)
ajv.addFormat('uri', (value) => URL.canParse(value) && /^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i.test(value))
ajv.addFormat(REDIRECT_URL, isRedirectUrl)
ajv.addFormat(CHECKED_URL, true)

/** As in requests and in the database, in upper or lower case. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

type Compiled = {
  readonly validate: ValidateFunction
  readonly documented: Documented
  /** Where ids may be. Undefined: there are none. */
  readonly ids: Ids | undefined
}

/** Hundreds of schemas would take seconds at the start, so each is compiled at its first use. */
const compiled = new WeakMap<TSchema, Compiled>()

function compile(schema: TSchema): Compiled {
  const known = compiled.get(schema)
  if (known) return known
  const documented: Documented = JSON.parse(JSON.stringify(schema))
  const made = { validate: ajv.compile(schema), documented, ids: idsIn(documented) }
  compiled.set(schema, made)
  return made
}

/** For what comes from outside, before its other checks: no work on a part of a request that is too large to explain. */
export function refuseExcess(location: Location, value: unknown): void {
  const message = excessIn(value)
  if (message !== undefined)
    throw errors.invalid({ location, pointer: '', type: 'value_error.list.max_items', message })
}

/** Checks a part of the request, writes ids in lower case, fills in defaults, and returns every complaint. */
export function complaintsAbout(location: Location, schema: TSchema, value: unknown): ErrorDetail[] {
  const { validate, documented, ids } = compile(schema)
  if (ids) writeIdsSmall(ids, value)
  const isStorable = isAllStorable(value)
  if (validate(value) && isStorable) return []
  return firstOfEachPlace([
    ...explained(location, validate.errors ?? []),
    ...(isStorable ? [] : textThatCannotBeStored(location, value, '', documented)),
  ])
}

/** Looking at more errors than this takes too long. A union has some for each of its shapes. */
const ERRORS_MAX = 2_000
/** Finding a similar name takes long, and a caller with more unknown fields has not misspelled one. */
const SUGGESTIONS_MAX = 10

function explained(location: Location, all: readonly ErrorObject[]): ErrorDetail[] {
  let unknown = 0
  const details = all.slice(0, ERRORS_MAX).map((error) => {
    if (error.keyword === 'additionalProperties') unknown += 1
    return explain(location, error, unknown <= SUGGESTIONS_MAX)
  })
  // What is not explained here would count as right, so the request is refused at once.
  if (all.length > ERRORS_MAX) throw errors.invalid(...firstOfEachPlace(details).slice(0, DETAILS_MAX))
  return details
}

/** One complaint for each field: that an empty text also misses its pattern is no help. */
function firstOfEachPlace(details: readonly ErrorDetail[]): ErrorDetail[] {
  return [...new Map(details.toReversed().map((detail) => [detail.pointer, detail])).values()].toReversed()
}

/** A schema as documents show it: with every shape that a part of the body may have. */
type Documented = {
  readonly format?: string
  readonly const?: unknown
  /** The NUL character alone stands for a missing value. It is never stored. */
  readonly nulMeansNull?: boolean
  readonly properties?: Readonly<Record<string, Documented>>
  readonly items?: Documented
  readonly anyOf?: readonly Documented[]
}

/** Where ids may be in a value. Most requests have few. */
type Ids = {
  readonly isId: boolean
  readonly items: Ids | undefined
  readonly fields: readonly (readonly [name: string, ids: Ids])[]
  readonly shapes: readonly Shape[]
}

/** A field with a fixed value, such as `method`, tells which shape the caller meant. */
type Shape = {
  readonly discriminators: readonly (readonly [name: string, value: unknown])[]
  readonly ids: Ids
}

function idsIn({ format, properties = {}, items, anyOf = [] }: Documented): Ids | undefined {
  const shapes = anyOf.flatMap((shape) => {
    const ids = idsIn(shape)
    return ids ? [{ discriminators: discriminatorsOf(shape), ids }] : []
  })
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const ids = idsIn(field)
    return ids ? [[name, ids] as const] : []
  })
  const own = items && idsIn(items)
  const isId = format === 'uuid' || anyOf.some((shape) => shape.format === 'uuid')
  return isId || own || fields.length > 0 || shapes.length > 0
    ? { isId, items: own, fields, shapes }
    : undefined
}

function discriminatorsOf({ properties = {} }: Documented): Shape['discriminators'] {
  return Object.entries(properties).flatMap(([name, field]) =>
    field.const === undefined ? [] : [[name, field.const] as const],
  )
}

/**
 * Ids are case-insensitive, but all later code compares them as text: idempotency keys, limits, logs and maps
 * in memory. So they get one spelling here.
 */
function writeIdsSmall(ids: Ids, value: unknown): unknown {
  if (typeof value === 'string') return ids.isId && isUuid(value) ? value.toLowerCase() : value
  if (value === null || typeof value !== 'object') return value
  for (const { discriminators, ids: own } of ids.shapes) {
    if (discriminators.every(([name, fixed]) => ownProperty(value, name) === fixed)) writeIdsSmall(own, value)
  }
  if (Array.isArray(value)) {
    const { items } = ids
    if (items) for (const [at, item] of value.entries()) value[at] = writeIdsSmall(items, item)
    return value
  }
  for (const [name, own] of ids.fields) {
    const inner = ownProperty(value, name)
    if (inner !== undefined) (value as Record<string, unknown>)[name] = writeIdsSmall(own, inner)
  }
  return value
}

function ownProperty<Value>(holder: object | undefined, name: string): Value | undefined {
  return holder && Object.hasOwn(holder, name) ? (holder as Record<string, Value>)[name] : undefined
}

/**
 * Reads query and path text as the types of their schema. Text that does not fit stays text, and is refused.
 */
export function decodeText(
  schema: TSchema,
  source: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, TextSchema> }).properties ?? {}
  // From entries, because assigning to `__proto__` would hide it.
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [
      name,
      decodeOne(Object.hasOwn(properties, name) ? properties[name] : undefined, value),
    ]),
  )
}

type TextSchema = { readonly type?: string | readonly string[]; readonly items?: TextSchema }

function decodeOne(schema: TextSchema | undefined, value: unknown): unknown {
  const types = [schema?.type ?? []].flat()
  if (types.includes('array')) return [value].flat().map((item) => decodeOne(schema?.items, item))
  if (typeof value !== 'string') return value
  if (types.includes('integer') && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Why there is too much to look at, if so. Without recursion, because the depth is not checked yet. */
function excessIn(value: unknown): string | undefined {
  const open = [value]
  let count = 0
  let objects = 0
  while (open.length > 0) {
    const next = open.pop()
    if (next === null || typeof next !== 'object') continue
    objects += 1
    if (objects > OBJECTS_MAX) return `must not hold more than ${OBJECTS_MAX} objects and lists`
    const inner = Object.values(next)
    if (!Array.isArray(next) && inner.length > NAMES_MAX)
      return `must not hold an object of more than ${NAMES_MAX} fields`
    count += inner.length
    if (count > VALUES_MAX) return `must not hold more than ${VALUES_MAX} values`
    for (const one of inner) open.push(one)
  }
  return undefined
}

/** PostgreSQL does not store NUL characters, and a lone surrogate is not text. A query with them fails, too. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Whether every text in it can be stored, names of fields included. Nearly always, so this comes first. */
function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(isAllStorable)
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isAllStorable(inner))
}

function textThatCannotBeStored(
  location: Location,
  value: unknown,
  pointer: string,
  schema?: Documented,
): ErrorDetail[] {
  const refuse = (message: string): ErrorDetail[] => [
    { location, pointer, type: 'value_error.str.regex', message },
  ]
  if (typeof value === 'string') {
    if (isStorable(value) || (schema?.nulMeansNull && value === '\0')) return []
    return refuse('must not contain NUL characters or unpaired surrogates')
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = Array.isArray(value) ? schema?.items : ownProperty<Documented>(schema?.properties, name)
    return [
      ...textThatCannotBeStored(location, name, child(pointer, name)),
      ...textThatCannotBeStored(location, inner, child(pointer, name), own),
    ]
  })
}

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
