import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isRedirectUrl } from '#domain/redirect-url.ts'
import type { ErrorDetail } from './errors.ts'
import { child, explain } from './explain.ts'
import { CHECKED_URL, REDIRECT_URL } from './schemas.ts'

/** Deeper than any of our schemas. */
export const DEPTH_MAX = 32
/** No request needs so many values, and complaints about each would take long. */
const VALUES_MAX = 20_000

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
  /** What of the schema leads to ids. Undefined: it has none. */
  readonly ids: Documented | undefined
}

/** Hundreds of schemas would take seconds at the start, so each is compiled at its first use. */
const compiled = new WeakMap<TSchema, Compiled>()

function compile(schema: TSchema): Compiled {
  const known = compiled.get(schema)
  if (known) return known
  const documented: Documented = JSON.parse(JSON.stringify(schema))
  const made = { validate: ajv.compile(schema), documented, ids: onlyIds(documented) }
  compiled.set(schema, made)
  return made
}

/** Checks a part of the request, writes ids in lower case, fills in defaults, and returns every complaint. */
export function complaintsAbout(location: Location, schema: TSchema, value: unknown): ErrorDetail[] {
  const { validate, documented, ids } = compile(schema)
  if (countValues(value) > VALUES_MAX) {
    const message = `must not hold more than ${VALUES_MAX} values`
    return [{ location, pointer: '', type: 'value_error.list.max_items', message }]
  }
  if (ids) writeIdsSmall(ids, value)
  const unstorable = isAllStorable(value) ? [] : textThatCannotBeStored(location, value, '', documented)
  if (validate(value) && unstorable.length === 0) return []
  const details = [...(validate.errors ?? []).map((error) => explain(location, error)), ...unstorable]
  // One complaint for each field: that an empty text also misses its pattern is no help.
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

/** The parts of a schema below which there are ids, and the fixed values that tell shapes apart. Most requests have few. */
function onlyIds(schema: Documented): Documented | undefined {
  const { format, properties = {}, items, anyOf = [] } = schema
  const [ownItems, ownShapes] = [items && onlyIds(items), anyOf.flatMap((shape) => onlyIds(shape) ?? [])]
  const fields = Object.entries(properties).map(([name, field]) => [name, onlyIds(field)] as const)
  if (format !== 'uuid' && !ownItems && ownShapes.length === 0 && !fields.some(([, field]) => field))
    return undefined
  const kept = fields.flatMap(([name, field]) => {
    const told = properties[name]?.const
    return field ? [[name, field]] : told === undefined ? [] : [[name, { const: told }]]
  })
  return {
    ...(format && { format }),
    ...(ownItems && { items: ownItems }),
    properties: Object.fromEntries(kept),
    anyOf: ownShapes,
  }
}

/**
 * Ids are case-insensitive, but all later code compares them as text: idempotency keys, limits, logs and maps
 * in memory. So they get one spelling here.
 */
function writeIdsSmall(schema: Documented, value: unknown): unknown {
  if (typeof value === 'string') {
    const isId = [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'uuid')
    return isId && isUuid(value) ? value.toLowerCase() : value
  }
  if (value === null || typeof value !== 'object') return value
  for (const shape of schema.anyOf ?? []) if (couldBe(shape, value)) writeIdsSmall(shape, value)
  for (const [name, inner] of Object.entries(value)) {
    const own = Array.isArray(value) ? schema.items : ownProperty(schema.properties, name)
    if (own) (value as Record<string, unknown>)[name] = writeIdsSmall(own, inner)
  }
  return value
}

/** A field with a fixed value, such as `method`, tells which shape the caller meant. */
function couldBe({ properties = {} }: Documented, value: object): boolean {
  return Object.entries(properties).every(
    ([name, inner]) => inner.const === undefined || ownProperty(value, name) === inner.const,
  )
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

/** Counts without recursion, because the depth is not checked yet. Stops once there are too many. */
function countValues(value: unknown): number {
  const open = [value]
  let count = 0
  while (open.length > 0 && count <= VALUES_MAX) {
    const next = open.pop()
    if (next === null || typeof next !== 'object') continue
    const inner = Object.values(next)
    count += inner.length
    if (count <= VALUES_MAX) open.push(...inner)
  }
  return count
}

/** Level by level and without recursion: a body of 1 MiB can be nested half a million times. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= DEPTH_MAX; depth += 1) {
    const holders = level.filter((one): one is object => one !== null && typeof one === 'object')
    if (holders.length === 0) return false
    level = holders.flatMap((holder) => Object.values(holder))
  }
  return true
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
