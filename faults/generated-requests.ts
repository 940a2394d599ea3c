import type { ValidateFunction } from 'ajv'
import fc from 'fast-check'
import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import type { Schema } from '#platform/reference/openapi-schemas.ts'
import type { Described } from './document.ts'
import type { Header } from './raw-request.ts'
import { fitting, type Maker, resolve } from './valid-values.ts'

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

type Facts = {
  readonly method: string
  readonly described: { readonly responses: object }
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly schema: { readonly pattern?: string }
  }[]
  readonly guarded: boolean
  readonly accounts: readonly string[]
  readonly account?: string
}

const ACCOUNT = 'x-service-merchant-account-id'
const KEY = 'idempotency-key'

/** Headers that an operation knows, with values that it takes. */
function validHeaders({ method, parameters, accounts, account }: Facts): fc.Arbitrary<Header[]> {
  const key = fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '')
  const prefer = parameters.some(({ name }) => name === 'Prefer')
  const groups: fc.Arbitrary<Header[]>[] = [
    account === undefined
      ? rarely(fc.constantFrom(...accounts).map((name): Header => [ACCOUNT, name]))
      : fc.constant([accountOf(account)]),
    rarely(fc.constantFrom(...HARMLESS)),
    ...(method === 'POST' ? [rarely(key.map((text): Header => [KEY, text]))] : []),
    ...(prefer ? [rarely(fc.constantFrom(...PREFERENCES).map((text): Header => ['prefer', text]))] : []),
  ]
  return fc.tuple(...groups).map((headers) => headers.flat())
}

function accountOf(name: string): Header {
  return [ACCOUNT, name]
}

function rarely(header: fc.Arbitrary<Header>): fc.Arbitrary<Header[]> {
  return fc.oneof(
    { arbitrary: fc.constant<Header[]>([]), weight: 7 },
    { arbitrary: header.map((one) => [one]), weight: 1 },
  )
}

const PREFERENCES = ['resource=transaction', 'resource=refund', 'RESOURCE="x"', 'respond-async', ';;;', ',']
/** The service ignores them, or takes any value. */
const HARMLESS: readonly Header[] = [
  ['accept', 'image/png'],
  ['accept-encoding', 'gzip, br'],
  ['x-request-id', 'x'.repeat(3_000)],
  ['x-request-id', '\t<script>\xff'],
  ['x-forwarded-for', '1.2.3.4, ::1, %00'],
  ['forwarded', 'for="_gazonk"'],
  ['cookie', 'a=b; '.repeat(500)],
  ['range', 'bytes=0-0'],
  ['if-none-match', '*'],
  ['if-modified-since', 'yesterday'],
  ['origin', 'null'],
  ['expect', '100-continue'],
  ['x-http-method-override', 'DELETE'],
  ['accept-language', 'x-klingon;q=9'],
  ['traceparent', 'zz'],
]

/** One header that is wrong, and whether that is reason enough to refuse. */
function brokenHeaders({
  parameters,
  guarded,
  accounts,
  account: only,
}: Facts): fc.Arbitrary<{ content: Header[]; isBad: boolean }> {
  // Signing in takes no key, and ignores one.
  const isKeyed = parameters.some(({ name }) => name.toLowerCase() === KEY)
  const [first = 'default', second = 'other'] = accounts
  const account = parameters.find(({ name }) => name.toLowerCase() === ACCOUNT)
  const takesAll = new RegExp(account?.schema.pattern ?? '').test('*')
  // Some of these requests succeed. They act on the same account as all others.
  const bad = (isBad: boolean, ...content: Header[]) => ({
    content:
      only === undefined || content.some(([name]) => name === ACCOUNT)
        ? content
        : [...content, accountOf(only)],
    isBad,
  })
  return fc.constantFrom(
    bad(isKeyed, [KEY, '']),
    bad(isKeyed, [KEY, 'x'.repeat(256)]),
    bad(isKeyed, [KEY, 'ключ'.replaceAll(/./g, '\xe9')]),
    bad(isKeyed, [KEY, 'a\tb']),
    bad(false, [KEY, 'one'], [KEY, 'two']),
    bad(guarded, [ACCOUNT, '']),
    bad(guarded, [ACCOUNT, 'x'.repeat(256)]),
    bad(guarded, [ACCOUNT, 'nowhere']),
    bad(guarded, [ACCOUNT, '\xff\xfe']),
    bad(guarded, [ACCOUNT, "' or 1=1"]),
    bad(guarded, [ACCOUNT, '__proto__']),
    bad(guarded, [ACCOUNT, first], [ACCOUNT, second]),
    bad(guarded && !takesAll, [ACCOUNT, '*']),
    bad(true, ['content-type', 'text/plain']),
    bad(true, ['content-type', 'application/x-www-form-urlencoded']),
    bad(true, ['content-type', 'multipart/form-data; boundary=x']),
    bad(true, ['content-type', 'application/jsonp']),
    bad(true, ['content-type', 'application/json, text/plain']),
    bad(true, ['content-type', '']),
    bad(true, ['content-type', '\xff']),
    bad(false, ['content-type', 'APPLICATION/JSON; charset=latin1']),
    bad(false, ['content-encoding', 'gzip']),
    bad(guarded, ['authorization', '']),
    bad(guarded, ['authorization', 'Bearer']),
    bad(guarded, ['authorization', 'Bearer a.b.c']),
    bad(guarded, ['authorization', `Bearer ${'x'.repeat(20_000)}`]),
    bad(false, ['expect', 'a miracle']),
    bad(false, ['x-request-id', '\xff'.repeat(300)]),
    bad(false, ['x-padding', 'x'.repeat(60_000)]),
    bad(false, ...Array.from({ length: 300 }, (_, index): Header => [`x-${index}`, 'x'])),
  )
}

/** A body as it goes over the wire, and whether no service may take it, whatever its schema says. */
type Body = { readonly text: string | Buffer; readonly isHopeless: boolean }

const BODY_MAX = 1024 * 1024
const DEPTH = 10_000

/** Numbers that JSON has and JavaScript cannot hold are put in as these words. */
const HUGE = '@1e400@'
const LONG_NUMBER = '@123456789012345678901234567890@'

/** Spoils one place of a valid body. It may still be valid afterwards: the schema says. */
function brokenBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const spoiled = fc
    .tuple(valid, fc.nat(), fc.constantFrom(...DAMAGES), junk)
    .map(([body, place, damage, value]): Body => written(spoil(body, place, damage, value)))
  return fc.oneof({ arbitrary: spoiled, weight: 6 }, { arbitrary: fc.constantFrom(...WHOLE), weight: 1 })
}

function written(body: unknown): Body {
  const text = (JSON.stringify(body) ?? 'null').replaceAll(/"@(1e400|\d{30})@"/g, '$1')
  return { text, isHopeless: Buffer.byteLength(text) > BODY_MAX || isHopeless(body) }
}

type Damage = 'replace' | 'remove' | 'add' | 'wrap' | 'repeat'
const DAMAGES: readonly Damage[] = ['replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'repeat']

const EXTRA_KEYS = ['surprise', '__proto__', 'constructor', 'hasOwnProperty', 'a\0b', '\ud800', '', 'Amount']

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 31) - 1, HUGE, LONG_NUMBER),
  fc.constantFrom<unknown>('', ' ', 'x', '12', 'true', 'é'.repeat(400)),
  fc.constantFrom<unknown>('\0', '\0\0', 'a\0b', '\ud800', 'a\udc00b'),
  fc.constantFrom<unknown>([], {}, [null], [[]], { surprise: 1 }, { constructor: { prototype: {} } }),
  fc.constantFrom('x'.repeat(5_000), '9'.repeat(5_000)),
  fc.jsonValue({ maxDepth: 3 }),
)

type Place = { readonly holder: Record<string, unknown> | unknown[]; readonly key: string | number }

function spoil(body: unknown, at: number, damage: Damage, value: unknown): unknown {
  const copy = structuredClone({ body })
  const places = placesIn(copy)
  const place = places[at % places.length]
  if (!place) return value
  const { holder, key } = place
  const inner = holder[key as never] as unknown
  switch (damage) {
    case 'replace':
      put(place, value)
      break
    case 'remove':
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else if (holder !== copy) delete holder[key]
      break
    case 'add':
      addTo(place, EXTRA_KEYS[at % EXTRA_KEYS.length] ?? '', value)
      break
    case 'wrap':
      put(place, at % 2 === 0 ? [inner] : { value: inner })
      break
    case 'repeat':
      put(place, Array.isArray(inner) && inner.length > 0 ? Array(600).fill(inner[0]) : [inner, inner])
      break
  }
  return copy.body
}

/** Every place in a value, at any depth. */
function placesIn(root: object): Place[] {
  return Object.entries(root).flatMap(([key, inner]): Place[] => {
    const holder = root as Place['holder']
    const own: Place = { holder, key }
    return inner !== null && typeof inner === 'object' ? [own, ...placesIn(inner)] : [own]
  })
}

function put({ holder, key }: Place, value: unknown): void {
  // Assigning to `__proto__` would not add a field.
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
}

function addTo({ holder, key }: Place, name: string, value: unknown): void {
  const inner = holder[key as never] as unknown
  if (Array.isArray(inner)) inner.push(value)
  else if (inner !== null && typeof inner === 'object') put({ holder: inner as never, key: name }, value)
  else put({ holder, key }, { [name]: value })
}

/**
 * Text that cannot be stored, and keys that poison prototypes, are refused wherever they are. A NUL character alone is not:
 * in filters it stands for a missing value.
 */
function isHopeless(value: unknown): boolean {
  if (typeof value === 'string') return (value !== '\0' && value.includes('\0')) || !value.isWellFormed()
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(
    ([name, inner]) =>
      name === '__proto__' ||
      (name === 'constructor' && inner !== null && typeof inner === 'object' && 'prototype' in inner) ||
      isHopeless(name) ||
      isHopeless(inner),
  )
}

const hopeless = (text: string | Buffer): Body => ({ text, isHopeless: true })
const maybe = (text: string | Buffer): Body => ({ text, isHopeless: false })

/** Bodies that are wrong as a whole. Some are not JSON; others only the schema can refuse. */
const WHOLE: readonly Body[] = [
  hopeless('{'),
  hopeless('{"amount":1,}'),
  hopeless('{"amount":NaN}'),
  hopeless("{'amount':1}"),
  hopeless('{"a":1}{"b":2}'),
  maybe('[]'),
  hopeless('"text"'),
  hopeless('12'),
  hopeless('1e400'),
  hopeless('"\\ud800"'),
  hopeless('{"__proto__":{"isAdmin":true}}'),
  hopeless('{"constructor":{"prototype":{"isAdmin":true}}}'),
  hopeless('[['.repeat(DEPTH / 2) + ']]'.repeat(DEPTH / 2)),
  hopeless(`${'{"metadata":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`),
  hopeless('['.repeat(DEPTH)),
  hopeless(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  hopeless(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  hopeless(Buffer.from('{"amount":1}', 'utf16le')),
  hopeless(JSON.stringify({ description: 'x'.repeat(2 * BODY_MAX) })),
  hopeless(`[${'1,'.repeat(BODY_MAX)}1]`),
  hopeless(`{${Array.from({ length: 30_000 }, (_, index) => `"f${index}":1`).join(',')}}`),
  maybe('null'),
  maybe('{}'),
  maybe('\ufeff{}'),
  maybe(' \n{}\n '),
  maybe('{"amount":1,"amount":2}'),
  maybe(''),
]
