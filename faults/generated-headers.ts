import fc from 'fast-check'

export type Header = readonly [name: string, value: string]

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
export function validHeaders({ method, parameters, accounts, account }: Facts): fc.Arbitrary<Header[]> {
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
export function brokenHeaders({
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
