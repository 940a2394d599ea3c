import fc from 'fast-check'
import type { Schema } from '#platform/reference/openapi-schemas.ts'

export type Value = fc.Arbitrary<unknown>

/** Values that fit a schema of the API's document, with real ones for fields whose names have some. */
export type Maker = {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly real: Readonly<Record<string, readonly unknown[]>>
}

/** How often an optional field is sent, in tenths. Bodies with all fields contradict themselves. */
const OPTIONAL_TENTHS = 3
const ITEMS_MAX = 4
const TEXT_MAX = 40
const KEY_MAX = 20

/** The keywords that our documents use. An unknown one fails, so that none is overlooked. */
const KNOWN = new Set([
  ...['$ref', 'title', 'description', 'default', 'examples', 'type', 'format', 'pattern', 'const', 'enum'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems', 'required'],
  ...['properties', 'patternProperties', 'additionalProperties', 'maxProperties', 'propertyNames', 'items'],
  ...['anyOf'],
])

export function fitting(maker: Maker, schema: Schema, name = ''): Value {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword))
  if (unknown.length > 0) throw new Error(`no values for the keyword ${unknown.join(', ')}`)
  if (schema.$ref !== undefined) return fitting(maker, resolve(maker, schema.$ref), name)
  const generated = anyValueOf(maker, schema)
  const real = (Object.hasOwn(maker.real, name) ? (maker.real[name] ?? []) : []).filter((value) =>
    takes(schema, value),
  )
  if (real.length === 0) return generated
  return fc.oneof({ arbitrary: fc.constantFrom(...real), weight: 4 }, { arbitrary: generated, weight: 1 })
}

export function resolve({ schemas }: Pick<Maker, 'schemas'>, reference: string): Schema {
  const schema = schemas[reference.replace('#/components/schemas/', '')]
  if (!schema) throw new Error(`the document has no ${reference}`)
  return schema
}

function takes({ type }: Schema, value: unknown): boolean {
  return [type].flat().includes(typeof value === 'number' ? 'integer' : 'string')
}

function anyValueOf(maker: Maker, schema: Schema): Value {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((inner) => fitting(maker, inner)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 })
  return fc.oneof(...types.map((type) => byType(maker, schema, type)))
}

function byType(maker: Maker, schema: Schema, type: string): Value {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integer(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'string':
      return text(schema)
    case 'array':
      return list(maker, schema)
    case 'object':
      return object(maker, schema)
    default:
      throw new Error(`no values for the type ${type}`)
  }
}

/** Mistakes are most likely at the ends of a range. */
function integer({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): Value {
  const small = fc.integer({ min: Math.max(minimum, -5), max: Math.min(maximum, 5_000) })
  return fc.oneof(small, fc.constantFrom(minimum, maximum), fc.maxSafeInteger().map(clamped))

  function clamped(value: number): number {
    return Math.min(maximum, Math.max(minimum, value))
  }
}

function text(schema: Schema): Value {
  const { minLength = 0, maxLength = 300 } = schema
  const fits = (value: string) => [...value].length >= minLength && [...value].length <= maxLength
  if (schema.format !== undefined) return byFormat(schema.format).filter(fits)
  if (schema.pattern !== undefined) {
    const whole = new RegExp(schema.pattern, 'u')
    // Values cannot be generated from a lookahead. Random values match it often enough.
    const pattern = sized(schema.pattern.replace(/\(\?=[^)]*\)/, ''), minLength, maxLength)
    return byPattern(pattern).filter((value) => fits(value) && whole.test(value))
  }
  const hostile = HOSTILE_TEXTS.filter(fits)
  const short = { minLength, maxLength: Math.min(maxLength, minLength + TEXT_MAX) }
  return fc.oneof(
    { arbitrary: fc.string(short), weight: 4 },
    {
      arbitrary: fc.string({ ...short, unit: 'binary' }).filter((value) => !value.includes('\0')),
      weight: 2,
    },
    ...(hostile.length > 0 ? [{ arbitrary: fc.constantFrom(...hostile), weight: 2 }] : []),
    { arbitrary: fc.constantFrom('x', '😀').map((unit) => unit.repeat(maxLength)), weight: 1 },
  )
}

/** Ordinary text that has a meaning to some layer below. */
const HOSTILE_TEXTS = [
  "'; drop table transactions; --",
  '%',
  '_%\\',
  '\\',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '=cmd|calc',
  '\u202eabc',
  '\ufeff',
  'İıſ',
  '\u007f\u0001\t\r\n',
  'null',
  'true',
  '-1',
  '1e400',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '*',
]

function byFormat(format: string): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.oneof(
        fc.uuid(),
        fc.uuid().map((id) => id.toUpperCase()),
      )
    case 'date-time':
      return fc.oneof(
        fc.date({ min: YEAR_1, max: YEAR_9999, noInvalidDate: true }).map((date) => date.toISOString()),
        fc.constantFrom(...TIMES),
      )
    case 'date':
      return fc
        .date({ min: YEAR_1, max: YEAR_9999, noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10))
    case 'uri':
      // The service may call these addresses, so the names do not exist.
      return fc
        .webUrl({ withFragments: true, withQueryParameters: true })
        .map((url) => url.replace(/^(https?:\/\/)[^/?#]*/, '$1a.invalid'))
    default:
      throw new Error(`no values for the format ${format}`)
  }
}

const YEAR_1 = new Date('0001-01-01T00:00:00.000Z')
const YEAR_9999 = new Date('9999-12-31T23:59:59.999Z')
const TIMES = [
  '2026-01-01T00:00:00Z',
  '2026-01-01t00:00:00z',
  '2026-06-30T23:59:60Z',
  '2024-02-29T12:00:00.123456789+14:00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999-23:59',
]

/** Puts the limits of length into a pattern of one repeated character. */
function sized(pattern: string, minLength: number, maxLength: number): string {
  return pattern.replace(
    /^\^(\[(?:[^\]\\]|\\.)+\])[+*]\$$/,
    (_match, character: string) => `^${character}{${Math.max(1, minLength)},${maxLength}}$`,
  )
}

function byPattern(pattern: string): fc.Arbitrary<string> {
  return fc.stringMatching(new RegExp(pattern, 'u'))
}

function list(maker: Maker, schema: Schema): Value {
  const { items = {}, minItems = 0, maxItems = ITEMS_MAX, uniqueItems } = schema
  const item = fitting(maker, items)
  const length = { minLength: minItems, maxLength: Math.min(maxItems, minItems + ITEMS_MAX) }
  if (uniqueItems) return fc.uniqueArray(item, { ...length, selector: (value) => JSON.stringify(value) })
  return fc.array(item, length)
}

const ABSENT = Symbol('absent')

function object(maker: Maker, schema: Schema): Value {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([name, inner]): [string, Value] => {
    const value = fitting(maker, inner, name)
    return [name, required.includes(name) ? value : sometimes(value)]
  })
  const named = fc.record(Object.fromEntries(fields))
  return fc.tuple(named, others(maker, schema)).map(([known, extra]) => ({
    ...extra,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ABSENT)),
  }))
}

function sometimes(value: Value): Value {
  return fc.oneof(
    { arbitrary: fc.constant(ABSENT), weight: 10 - OPTIONAL_TENTHS },
    { arbitrary: value, weight: OPTIONAL_TENTHS },
  )
}

/** The fields of a map, or the additional fields of an object that allows them. */
function others(
  maker: Maker,
  { patternProperties, additionalProperties, propertyNames, maxProperties = ITEMS_MAX }: Schema,
): fc.Arbitrary<Record<string, unknown>> {
  const [pattern] = Object.values(patternProperties ?? {})
  const inner = pattern ?? additionalProperties
  if (inner === undefined || inner === false) return fc.constant({})
  const value = inner === true ? fc.jsonValue({ maxDepth: 2 }) : fitting(maker, inner)
  const maxLength = Math.min(propertyNames?.maxLength ?? KEY_MAX, KEY_MAX)
  const key = fc.oneof(fc.string({ maxLength }), fc.constantFrom('toString', 'a/b~c', 'é', '1', ''))
  return fc.dictionary(key, value, { maxKeys: Math.min(maxProperties, ITEMS_MAX), noNullPrototype: true })
}
