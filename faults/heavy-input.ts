import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import type { Schema } from '#platform/reference/openapi-schemas.ts'
import { ask } from '../lab/processes.ts'
import type { Described } from './document.ts'
import type { GeneratedRequest } from './generated-requests.ts'
import type { KillableService } from './killable-service.ts'
import type { Form } from './program.ts'
import type { StallOrder } from './stall-probe.ts'
import { resolve } from './valid-values.ts'

/** No request may hold up all others for longer. The short form may run on a slow or busy machine. */
export const STALL_MS_MAX = { full: 100, short: 250 }
const PLACES_MAX = { full: 300, short: 15 }
const DEPTH_MAX = 4
const TRIES = 4

type Heavy = { readonly what: string; readonly query?: string; readonly body?: string }
type Place = {
  readonly pointer: string
  readonly schema: Schema
  readonly around: (inner: unknown) => unknown
}

/** The request that held the event loop longest, of those that give an operation as much work as fits. */
export async function longestStall(
  service: KillableService,
  document: OpenApiDocument,
  { operation, form, send }: Sent,
): Promise<{ readonly ms: number; readonly what: string; readonly sent: number }> {
  const limit = STALL_MS_MAX[form]
  let longest = { ms: 0, what: 'nothing' }
  const requests = heavyRequests(document, operation, form)
  for (const heavy of requests) {
    let ms = Number.POSITIVE_INFINITY
    // The first time, code is compiled. A collection of garbage may fall into any request, but not into each.
    for (let tries = 0; tries < TRIES && ms > limit; tries += 1) {
      await ask<number>(service.running(), { stall: 'reset' } satisfies StallOrder)
      await send(requestOf(operation, heavy))
      ms = Math.min(ms, await ask<number>(service.running(), { stall: 'read' } satisfies StallOrder))
    }
    if (ms > longest.ms) longest = { ms, what: heavy.what }
  }
  return { ...longest, sent: requests.length }
}

type Sent = {
  readonly operation: Described
  readonly form: Form
  readonly send: (request: GeneratedRequest) => Promise<unknown>
}

function requestOf({ method, path }: Described, { query, body }: Heavy): GeneratedRequest {
  return {
    kind: body === undefined ? 'query' : 'body',
    method,
    url: query === undefined ? path : `${path}?${query}`,
    headers: body === undefined ? [] : [['content-type', 'application/json']],
    body,
    isToBeRefused: false,
  }
}

function heavyRequests(document: OpenApiDocument, operation: Described, form: Form): Heavy[] {
  const { schemas } = document.components
  const whole = operation.described.requestBody?.content['application/json']?.schema
  const places = whole ? placesIn(schemas, { pointer: '', schema: whole, around: (inner) => inner }) : []
  const bodies = places.slice(0, PLACES_MAX[form]).flatMap(({ pointer, schema, around }) =>
    heavyValuesFor(schema).map(([name, value]) => ({
      what: `${name} at ${pointer || 'the top'}`,
      body: JSON.stringify(around(value)),
    })),
  )
  return [{ what: 'many names in the query', query: names(3_500, 3).join('&') }, ...bodies]
}

/** Every place of a body that takes an object, a list or a text, those at the top first. */
function placesIn(schemas: Readonly<Record<string, Schema>>, root: Place): Place[] {
  const found: Place[] = []
  let level = [root]
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth += 1) {
    level = level.flatMap((place): Place[] => {
      const shapes = shapesOf(schemas, place.schema).map((schema) => ({ ...place, schema }))
      const merged = new Map(shapes.map((shape) => [String(shape.schema.type), shape]))
      found.push(...merged.values())
      return shapes.flatMap(insideOf)
    })
    level = [...new Map(level.map((place) => [place.pointer, place])).values()]
  }
  return found
}

function shapesOf(schemas: Readonly<Record<string, Schema>>, schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return shapesOf(schemas, resolve({ schemas }, schema.$ref))
  return schema.anyOf ? schema.anyOf.flatMap((inner) => shapesOf(schemas, inner)) : [schema]
}

function insideOf({ pointer, schema, around }: Place): Place[] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => ({
    pointer: `${pointer}/${name}`,
    schema: inner,
    around: (value: unknown) => around({ [name]: value }),
  }))
  const { items } = schema
  if (!items) return fields
  return [...fields, { pointer: `${pointer}/0`, schema: items, around: (value) => around([value]) }]
}

const BYTES = 900_000
const VALUES = 19_000

function heavyValuesFor({ type }: Schema): [name: string, value: unknown][] {
  const types = [type ?? ['object', 'array', 'string']].flat()
  return [
    ...(types.includes('object') ? OBJECTS : []),
    ...(types.includes('array') ? LISTS : []),
    ...(types.includes('string') ? TEXTS : []),
  ]
}

const OBJECTS: [string, unknown][] = [
  ['many long names', namedValues(14_000, 59)],
  [
    'many names with digits',
    Object.fromEntries(Array.from({ length: 14_000 }, (_, at) => [`4111-1111-1111-${at}`, at])),
  ],
  ['names that cannot be stored', Object.fromEntries(names(14_000, 9).map((name) => [`${name}\0`, 'a\0']))],
]
const LISTS: [string, unknown][] = [
  ['many numbers', Array(VALUES).fill(0)],
  ['many objects', Array.from({ length: VALUES / 2 }, (_, at) => ({ [`n${at}`]: at }))],
  ['many texts', names(VALUES, 9)],
]
const TEXTS: [string, unknown][] = [
  ['a long text', 'a'.repeat(BYTES)],
  ['a long number', '1'.repeat(BYTES)],
  ['a long text of spaces and dots', ' .'.repeat(BYTES / 2)],
]

function names(count: number, length: number): string[] {
  return Array.from({ length: count }, (_, at) => at.toString(36).padStart(length, 'amount_of_the_payment_'))
}

function namedValues(count: number, length: number): Record<string, number> {
  return Object.fromEntries(names(count, length).map((name) => [name, 0]))
}
