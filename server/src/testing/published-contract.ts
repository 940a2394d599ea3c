import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'

/**
 * Compares what a connector sends, and what a stand-in answers, with what the provider has published: `contract.json` of
 * the connector, which tools/provider-contracts.ts has written. In requests, a name that the contract does not have is
 * refused, at any depth.
 */

type Json = Readonly<Record<string, unknown>>
type Operation = { readonly query: Json; readonly request?: Json; readonly answers: Json }
type Published = {
  readonly operations: Readonly<Record<string, Operation>>
  readonly webhooks: Json
  readonly schemas: Json
}
type Fetch = (url: string, init?: RequestInit) => Promise<Response>

type Reading = {
  /** The path as the contract writes it. Null: the contract is not about it. */
  readonly pathOf?: (pathname: string) => string | null
  /** How the provider reads bodies that are forms. Left out: JSON. */
  readonly readForm?: (text: string) => object
  /** What the provider takes since the contract was published: properties by place, see `withNewer`. */
  readonly newer?: Readonly<Record<string, Json>>
}

type Exchange = {
  readonly url: string
  readonly method: string
  readonly body: string
}

type Watching = {
  /** A stand-in's own tests send wrong requests, which it refuses, and ask what no connector asks. */
  readonly byStandInTest?: boolean
  readonly complain?: (problems: readonly string[]) => void
}

export type PublishedContract = ReturnType<typeof openContract>

export function openContract(given: object, reading: Reading = {}) {
  const { pathOf = (pathname: string) => pathname, readForm } = reading
  const published = withNewer(given as Published, reading.newer ?? {})
  const sent = validatorOf(published, { isClosed: true, isText: readForm !== undefined })
  const asked = validatorOf(published, { isClosed: true, isText: true })
  const told = validatorOf(published, { isClosed: false, isText: false })

  function operationFor({ url, method }: Exchange) {
    const path = pathOf(new URL(url).pathname)
    if (path === null) return null
    const name = Object.keys(published.operations).find((one) => {
      const [verb, template = ''] = one.split(' ')
      return verb === method && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path)
    })
    return { name: name ?? `${method} ${path}`, operation: name ? published.operations[name] : undefined }
  }

  function problemsOfRequest(exchange: Exchange): readonly string[] {
    const found = operationFor(exchange)
    if (!found) return []
    const { name, operation } = found
    if (!operation) return [`${name} is not in the contract`]
    const { search, searchParams } = new URL(exchange.url)
    const query = readForm ? readForm(search.slice(1)) : Object.fromEntries(searchParams)
    const problems = asked(`${name} query`, operation.query, query)
    if (exchange.body === '') return problems
    if (!operation.request) return [...problems, `${name} takes no body`]
    const body = readBody(exchange.body, readForm ?? JSON.parse)
    return [...problems, ...sent(`${name} request`, operation.request, body)]
  }

  async function problemsOfAnswer(exchange: Exchange, response: Response): Promise<readonly string[]> {
    const found = operationFor(exchange)
    if (!found?.operation || response.status >= 500) return []
    const { name, operation } = found
    const { answers } = operation
    const schema = answers[response.status] ?? answers['default']
    // Some contracts name no errors at all.
    if (schema === undefined) return response.ok ? [`${name} has no answer ${response.status}`] : []
    if (schema === true) return []
    return told(`${name} answer ${response.status}`, schema as Json, await response.clone().json())
  }

  /** The same `fetch`, which fails the test that it runs in if something does not fit. */
  function watch(fetch: Fetch, { byStandInTest = false, complain = fail }: Watching = {}): Fetch {
    return async (url, init = {}) => {
      const response = await fetch(url, init)
      const exchange = { url, method: init.method ?? 'GET', body: String(init.body ?? '') }
      const isChecked = !byStandInTest || (response.ok && operationFor(exchange)?.operation !== undefined)
      complain([
        ...(isChecked ? problemsOfRequest(exchange) : []),
        ...(await problemsOfAnswer(exchange, response)),
      ])
      return response
    }
  }

  return {
    watch,
    problemsOfRequest,
    problemsOfWebhook: (name: string, body: unknown): readonly string[] => {
      const schema = published.webhooks[name]
      return schema
        ? told(`webhook ${name}`, schema as Json, body)
        : [`webhook ${name} is not in the contract`]
    },
    /** Every value that the contract lists for properties of this name. */
    listed: (property: string): readonly string[] => [...new Set(enumsOf(published, property))],
  }
}

/** As the provider reads it, or a form with files. Of these, parts of JSON are read. */
function readBody(text: string, read: (text: string) => unknown): unknown {
  if (!text.startsWith('--')) return read(text)
  const [boundary = ''] = text.split('\r\n', 1)
  const parts = text.split(boundary).slice(1, -1)
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...content] = part.split('\r\n\r\n')
      const value = content.join('\r\n\r\n').slice(0, -2)
      const isJson = /content-type: application\/json/i.test(head)
      return [/ name="([^"]*)"/.exec(head)?.[1], isJson ? JSON.parse(value) : value]
    }),
  )
}

function fail(problems: readonly string[]): void {
  if (problems.length > 0) expect.soft(problems).toEqual([])
}

/** Compiles a schema when it is first needed. `isText`: numbers and flags may be written as text, as forms write them. */
function validatorOf({ schemas }: Published, { isClosed, isText }: Record<'isClosed' | 'isText', boolean>) {
  const ajv = new Ajv2020({ strict: false, unicodeRegExp: false, allErrors: true, coerceTypes: isText })
  // The module's types describe it as it is without ESM.
  const withFormats = addFormats as unknown as typeof addFormats.default
  withFormats(ajv, ['date', 'date-time'])
  const read = (schema: unknown) => pointed(isClosed ? closed(schema, schemas) : schema)
  ajv.addSchema({
    $id: 'contract',
    $defs: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        pointed(isClosed ? inner(schema, schemas) : schema),
      ]),
    ),
  })
  const compiled = new Map<string, ValidateFunction>()
  return (what: string, schema: Json, value: unknown): readonly string[] => {
    const validate = compiled.get(what) ?? ajv.compile(read(schema) as Json)
    compiled.set(what, validate)
    return validate(structuredClone(value))
      ? []
      : (validate.errors ?? []).map((error) => `${what}: ${textOf(error)}`)
  }
}

function textOf({ instancePath, message, params }: ErrorObject): string {
  const name = params['unevaluatedProperty'] ?? params['additionalProperty']
  return `${instancePath} ${message}${name === undefined ? '' : ` (${String(name)})`}`
}

/** `$ref` of a contract is the name of a schema. */
function pointed(value: unknown): unknown {
  return mapped(value, (schema) =>
    typeof schema['$ref'] === 'string'
      ? { ...schema, $ref: `contract#/$defs/${encodeURIComponent(schema['$ref'].replace('/', '~1'))}` }
      : schema,
  )
}

/** Wherever a schema is used, the names of its object are all that there are. */
function closed(schema: unknown, schemas: Json): unknown {
  const part = inner(schema, schemas)
  return typeof part === 'object' && !takesAnything(schema, schemas)
    ? { ...part, unevaluatedProperties: false }
    : part
}

/** The parts of a schema closed, and not itself: as a branch of another one, it does not know the names beside it. */
function inner(schema: unknown, schemas: Json): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]): [string, unknown] => {
      if (word === 'properties') return [word, valuesOf(value, (one) => closed(one, schemas))]
      if (word === 'items' || word === 'additionalProperties') return [word, closed(value, schemas)]
      if (/^(all|any|one)Of$/.test(word))
        return [word, (value as unknown[]).map((one) => inner(one, schemas))]
      return [word, value]
    }),
  )
}

/** An object of which the contract names nothing. */
function takesAnything(schema: unknown, schemas: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return schema !== false
  const { $ref, type, properties, additionalProperties, allOf, anyOf, oneOf } = schema as Json
  if (typeof $ref === 'string') return takesAnything(schemas[$ref], schemas)
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (list ?? []) as unknown[])
  if (parts.length > 0) return parts.some((part) => takesAnything(part, schemas))
  return (
    [type].flat().some((one) => one === undefined || one === 'object') && !properties && !additionalProperties
  )
}

/**
 * Adds what a provider takes since then. A place is an operation or the name of a schema, and the names on the way, as in
 * `POST /v1/payment_intents: payment_method_options.card`.
 */
function withNewer(published: Published, newer: NonNullable<Reading['newer']>): Published {
  const copy = structuredClone(published)
  for (const [place, properties] of Object.entries(newer)) {
    const [root = '', way = ''] = place.split(': ')
    const start: unknown = copy.operations[root]?.request ?? copy.schemas[root]
    const names = way === '' ? [] : way.split('.')
    const known = objectIn(names.reduce((schema, name) => objectIn(schema)?.[name], start))
    if (!known) throw new Error(`the contract has no ${place}`)
    Object.assign(known, properties)
  }
  return copy
}

/** The properties of a schema, or of the part of it that is an object. */
function objectIn(schema: unknown): Record<string, unknown> | undefined {
  const { properties, anyOf } = (schema ?? {}) as { properties?: Record<string, unknown>; anyOf?: unknown[] }
  return properties ?? anyOf?.map(objectIn).find(Boolean)
}

function enumsOf(value: unknown, property: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => enumsOf(item, property))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const values = key === property && Array.isArray(part?.enum) ? (part.enum as string[]) : []
    return [...values, ...enumsOf(part, property)]
  })
}

function mapped(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(valuesOf(value, (part) => mapped(part, change)))
}

function valuesOf(value: unknown, change: (part: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(value as Json).map(([name, part]) => [name, change(part)]))
}
