import type { ValidateFunction } from 'ajv'
import fc from 'fast-check'
import type { OpenApiDocument, OperationObject, Parameter } from '#platform/reference/openapi.ts'
import type { Schema } from '#platform/reference/openapi-schemas.ts'
import { type Body, brokenBody, written } from './broken-bodies.ts'
import { brokenHeaders, type Header, validHeaders } from './generated-headers.ts'
import { fitting, type Maker, resolve } from './valid-values.ts'

export type Described = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly described: OperationObject
  readonly parameters: readonly Parameter[]
}

/** Whether only users who are signed in may call it. */
export function isForUsers({ described }: Described): boolean {
  return described.security.some((scheme) => 'sessionCookie' in scheme)
}

export type GeneratedRequest = {
  /** Which part was spoiled. */
  readonly kind: 'valid' | 'path' | 'query' | 'header' | 'body'
  readonly method: string
  readonly url: string
  readonly headers: readonly Header[]
  readonly body: string | Buffer | undefined
  /** Whether the answer must be a 4xx. Otherwise any documented answer below 500 is right. */
  readonly isToBeRefused: boolean
}

/** What exists in a service, for requests to refer to. */
export type Known = {
  /** Addresses of things that exist, for the paths of the document. */
  readonly paths: readonly string[]
  readonly real: Maker['real']
  readonly accounts: readonly string[]
  /** The only account in which the operation works. */
  readonly account?: string
}

export function operationsOf({ paths, components }: OpenApiDocument): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, described]) => ({
      method: verb.toUpperCase() as Described['method'],
      path,
      described,
      parameters: described.parameters.map((parameter) =>
        '$ref' in parameter
          ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)
          : parameter,
      ),
    })),
  )
}

/** Part of a request, and whether it alone makes the request wrong. */
type Part<Content> = { readonly content: Content; readonly isBad: boolean }
type PartOf<Content> = fc.Arbitrary<Part<Content>>

const good = <Content>(content: Content): Part<Content> => ({ content, isBad: false })

/** Valid and broken requests for an operation, generated from its description in the document. */
export function requestsFor(
  { components }: OpenApiDocument,
  compile: (schema: Schema) => ValidateFunction,
  operation: Described,
  known: Known,
): fc.Arbitrary<GeneratedRequest> {
  const maker: Maker = { schemas: components.schemas, real: known.real }
  const fits: Fits = (schema, value) => compile(schema)(value)
  const body = bodies(maker, operation, fits)
  const path = paths(maker, operation, known)
  const query = queries(maker, operation, fits)
  const guarded = operation.described.security.length > 0
  const headers = {
    valid: validHeaders({ ...operation, guarded, ...known }).map(good),
    broken: brokenHeaders({ ...operation, guarded, ...known }),
  }
  const whole = (kind: GeneratedRequest['kind']) =>
    fc
      .record({
        path: kind === 'path' ? path.broken : path.valid,
        query: kind === 'query' ? query.broken : query.valid,
        headers: kind === 'header' ? headers.broken : headers.valid,
        body: kind === 'body' && body.broken ? body.broken : body.valid,
      })
      .map((parts) => assemble(operation, kind, parts))
  const kinds: fc.MaybeWeightedArbitrary<GeneratedRequest>[] = [
    { arbitrary: whole('valid'), weight: 6 },
    { arbitrary: whole('query'), weight: operation.method === 'GET' ? 4 : 1 },
    { arbitrary: whole('header'), weight: 2 },
    ...(operation.path.includes('{') ? [{ arbitrary: whole('path'), weight: 2 }] : []),
    ...(body.broken ? [{ arbitrary: whole('body'), weight: 8 }] : []),
  ]
  return fc.oneof(...kinds)
}

type Parts = {
  readonly path: Part<string>
  readonly query: Part<string>
  readonly headers: Part<readonly Header[]>
  readonly body: Part<string | Buffer | undefined>
}

function assemble({ method }: Described, kind: GeneratedRequest['kind'], parts: Parts): GeneratedRequest {
  const { path, query, headers, body } = parts
  const isTyped = headers.content.some(([name]) => name === 'content-type')
  const type: Header[] = body.content === undefined || isTyped ? [] : [['content-type', 'application/json']]
  return {
    kind,
    method,
    url: query.content === '' ? path.content : `${path.content}?${query.content}`,
    headers: [...headers.content, ...type],
    body: body.content,
    isToBeRefused: path.isBad || query.isBad || body.isBad || (headers.isBad && hasReason()),
  }

  /** Without a body, the content type does not matter. */
  function hasReason(): boolean {
    return !isTyped || (body.content !== undefined && body.content.length > 0)
  }
}

type Fits = (schema: Schema, value: unknown) => boolean

type Spoilable<Content> = { readonly valid: PartOf<Content>; readonly broken: PartOf<Content> }

function bodies(
  maker: Maker,
  { described }: Described,
  fits: Fits,
): { readonly valid: PartOf<string | Buffer | undefined>; readonly broken?: PartOf<string | Buffer> } {
  const { requestBody } = described
  if (!requestBody) return { valid: fc.constant(good(undefined)) }
  const { schema } = requestBody.content['application/json']
  const example = (schema.$ref === undefined ? schema : resolve(maker, schema.$ref)).examples?.[0]
  const generated = fitting(maker, schema)
  // Close to the example, because fully random bodies nearly always contradict themselves.
  const near = fc.tuple(generated, fc.nat()).map(([value, chance]) => ({
    ...(example as object),
    ...Object.fromEntries(
      Object.entries(value as object).filter((_field, index) => (chance >> (index % 30)) % 4 === 0),
    ),
  }))
  const values = fc.oneof(generated, near, near)
  const judged = ({ text, isHopeless }: Body): Part<string | Buffer> => ({
    content: text,
    isBad: isHopeless || !isFitting(text),
  })
  const valid = values.map((value) => good<string | Buffer | undefined>(written(value).text))
  return {
    valid: requestBody.required
      ? valid
      : fc.oneof({ arbitrary: valid, weight: 3 }, { arbitrary: fc.constant(good(undefined)), weight: 1 }),
    broken: brokenBody(values).map(judged),
  }

  function isFitting(text: string | Buffer): boolean {
    if (text.length === 0) return !requestBody?.required
    const value: unknown = JSON.parse(String(text).replace(/^\ufeff/, ''))
    return value === null ? !requestBody?.required : fits(schema, value)
  }
}

/** Characters that end a path or that a router could misread. */
const BAD_SEGMENTS = [
  ...['%00', '%ff', '%', '%zz', '%ED%A0%80', '%20', '..%2f..', '%2e%2e', '%252e', "'%20or%201=1", '*', ':id'],
  ...['0', '-1', 'null', 'undefined', 'NaN', '__proto__', 'constructor', '%F0%9F%98%80', '[object%20Object]'],
  ...['x'.repeat(400), '9'.repeat(600), '01900000-0000-7000-8000-00000000000g', '{id}', ';a=1', '1e400'],
  ...[
    'urn:uuid:01900000-0000-7000-8000-000000000001',
    '01900000000070008000000000000000',
    '{01900000-0000-7000-8000-000000000001}',
    '%0d%0aX-Evil:%201',
  ],
]

function paths(maker: Maker, { path, parameters }: Described, known: Known): Spoilable<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  // Random ids only, so that no request deletes what others refer to.
  const generated = fc
    .record(Object.fromEntries(inPath.map(({ name, schema }) => [name, fitting(maker, schema)])))
    .map((values) => good(fill(path, (name) => encodeURIComponent(String(values[name])))))
  const existing = fc.constantFrom(...(known.paths.length > 0 ? known.paths : [path])).map(good)
  const valid =
    inPath.length === 0 || known.paths.length === 0
      ? generated
      : fc.oneof({ arbitrary: existing, weight: 6 }, { arbitrary: generated, weight: 1 })
  const broken = fc
    .tuple(fc.constantFrom(...BAD_SEGMENTS), fc.nat({ max: Math.max(0, inPath.length - 1) }))
    .map(([segment, at]) => {
      const content = fill(path, (name) => (inPath[at]?.name === name ? segment : SOME_ID))
      // Callers choose the ids of merchant accounts, so an account with this id may exist.
      const isChosen = inPath[at]?.name === 'merchant_account_id' && /^[a-z0-9-]+$/.test(segment)
      return { content, isBad: !isChosen }
    })
  return { valid, broken }
}

const SOME_ID = '01900000-0000-7000-8000-0000000000ff'

function fill(path: string, valueFor: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => valueFor(name))
}

const BAD_TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e3',
    '1e400',
    '99999999999999999999',
    'null',
    'NaN',
    'x',
    'TRUE',
    '\0',
    'a\0b',
  ],
  ...[
    '__proto__',
    '😀',
    "' or 1=1",
    'x'.repeat(3_000),
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '*',
    '%',
    '[]',
    '{}',
  ],
]
/** Each of these is a whole query that no operation knows. */
const BAD_QUERIES = [
  ...[
    'surprise=1',
    '__proto__=1',
    '__proto__[a]=1',
    'constructor=1',
    'toString=1',
    'limit[]=1',
    'LIMIT=1',
    '=1',
  ],
  ...['%00=1', '%FF=1', 'a%5B0%5D=1', `${'a=1&'.repeat(2_000)}b=2`, 'x'.repeat(10_000)],
]
/** A parser of queries may accept these or not. */
const ODD_QUERIES = ['%', '%zz', '&&&', '?', '#', 'limit', 'limit=%', 'cursor=%ff', 'limit=1;limit=2']

function queries(maker: Maker, { parameters }: Described, fits: Fits): Spoilable<string> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const required = inQuery.filter(({ required }) => required).map(({ name }) => name)
  const pairs = inQuery.map(({ name, schema }): [string, fc.Arbitrary<unknown>] => {
    const value = fitting(maker, schema, name)
    return [name, value]
  })
  const valid = fc
    .tuple(
      fc.record(Object.fromEntries(pairs)),
      fc.subarray(inQuery, { maxLength: Math.min(3, inQuery.length) }),
    )
    .map(([values, chosen]) => {
      const names = new Set([...required, ...chosen.map(({ name }) => name)])
      return textOf(Object.entries(values).filter(([name]) => names.has(name)))
    })
  const spoiled = inQuery.map(({ name, schema }) => {
    const bad = [...BAD_TEXTS.filter((text) => !isAcceptable(fits, schema, text)), ...badCursors(maker, name)]
    const twice = isList(schema) ? [] : [`${name}=1&${name}=2`]
    return [...bad.map((text) => textOf([[name, text]])), ...twice]
  })
  const broken = fc.oneof(
    fc.constantFrom(...BAD_QUERIES, ...spoiled.flat()).map((content) => ({ content, isBad: true })),
    fc.constantFrom(...ODD_QUERIES).map(good),
  )
  return { valid: valid.map(good), broken }
}

function textOf(pairs: readonly (readonly [string, unknown])[]): string {
  return pairs
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

function isList({ type }: Schema): boolean {
  return [type].flat().includes('array')
}

/** A query is text. It is acceptable if one way to read it fits the schema. */
function isAcceptable(fits: Fits, schema: Schema, text: string): boolean {
  if (text.includes('\0')) return false
  const readings: unknown[] = [text, [text]]
  if (/^-?\d+$/.test(text)) readings.push(Number(text))
  if (text === 'true' || text === 'false') readings.push(text === 'true')
  return readings.some((reading) => fits(schema, reading))
}

/** A signed cursor with one character changed. */
function badCursors({ real }: Maker, name: string): string[] {
  if (name !== 'cursor') return []
  const [cursor = 'AAAA'] = (real['cursor'] ?? []) as string[]
  return [
    'AAAA',
    `${cursor}A`,
    cursor.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    cursor.slice(0, 20),
  ]
}
