import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inFinalTransaction } from '#platform/once.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { operation } from '../operation.ts'
import { Nullable, OneOf, Strict } from '../schemas.ts'
import { describeApi, type OpenApiDocument } from './openapi.ts'
import { renderReference } from './page.ts'

let service: TestService
let document: OpenApiDocument
let page: string
let policy: string
beforeAll(async () => {
  service = await startTestService()
  document = (await service.app.inject('/openapi.json')).json()
  const response = await service.app.inject('/docs')
  page = response.body
  policy = String(response.headers['content-security-policy'])
})
afterAll(() => service.close())

test('is the target of the root path', async () => {
  const response = await service.app.inject('/')

  expect(response.statusCode).toBe(302)
  expect(response.headers.location).toBe('/docs')
})

test('is found with a slash at its end, and has an icon that browsers ask for on their own', async () => {
  const slash = await service.app.inject('/docs/')
  const icon = await service.app.inject('/favicon.ico')

  expect([slash.statusCode, slash.headers.location]).toEqual([308, '/docs'])
  expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(icon.body).toMatch(/^<svg /)
})

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['br', '*', brotliDecompressSync],
  ['gzip', 'gzip;q=1.0, br;q=0', gunzipSync],
  ['gzip', 'GZIP', gunzipSync],
  [undefined, 'identity', (body: Buffer) => body],
  [undefined, 'br;q=0, gzip;q=0.0, *', (body: Buffer) => body],
  [undefined, undefined, (body: Buffer) => body],
])('is sent as %s to clients that accept %s, and so is the document', async (encoding, accepted, open) => {
  for (const url of ['/docs', '/openapi.json']) {
    const plain = await service.app.inject(url)
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const first = await service.app.inject({ url, headers })
    const second = await service.app.inject({ url, headers })

    expect(first.headers['content-encoding']).toBe(encoding)
    expect(first.headers['vary']).toBe('accept-encoding')
    expect(open(first.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
    if (encoding) expect(first.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
    expect(Number(first.headers['content-length'])).toBe(first.rawPayload.length)
  }
})

test('shows every operation, with a link to it', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [verb, { operationId, summary }] of Object.entries(item)) {
      expect(page).toContain(`<article class="operation" id="${operationId}"`)
      expect(page).toContain(`href="#${operationId}"`)
      expect(page).toContain(summary)
      expect(textOf(articleOf(operationId))).toContain(`${verb}${path}`)
    }
  }
})

test('shows for an operation its scope, its fields, a request, an answer and its errors', () => {
  const article = textOf(articleOf('create_api_key_pair'))

  expect(article).toContain('Requires the scope api-key-pairs.write.')
  expect(article).toContain('Idempotency-Key')
  expect(article).toContain('role_ids array of string required')
  expect(article).toContain('1 to 20 items · no duplicates')
  expect(article).toContain('One of ECDSA RSA EdDSA')
  expect(article).toContain('curl -X POST http://127.0.0.1:3000/api-key-pairs')
  expect(article).toContain('-H "Authorization: Bearer $(npx switchyard token)"')
  expect(article).toContain('"thumbprint": "va-SLs5AxJNfqKXD8LI5Y38BflpNvjZjY4RSWz66U1w"')
  for (const status of [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 503, 504]) {
    expect(article).toContain(String(status))
  }
})

test('has no dead link into the page, and no id twice', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)

  expect(links.filter((link) => !ids.includes(link))).toEqual([])
  expect(ids.length).toBe(new Set(ids).size)
})

test('runs no script and loads nothing', () => {
  expect(page).not.toMatch(/<script|<iframe|<img|<object|<embed|<form|javascript:|@import|url\(/i)
  expect(page).not.toMatch(/<[^>]+\s(?:on\w+|style|src|srcset)=/i)
  const loaded = [...page.matchAll(/<link[^>]+href="([^"]+)"/g)].map(([, address]) => address)
  expect(loaded.every((address) => address?.startsWith('data:'))).toBe(true)
})

test('allows only its own style', () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  const digest = createHash('sha256').update(style).digest('base64')

  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  )
  expect(page.match(/<style/g)).toHaveLength(1)
})

test('escapes all text of the table', () => {
  const evil = `"><script>alert('x')</script>&`
  const text = renderReference(
    describeApi(
      [
        operation({
          id: 'evil',
          route: 'POST /evil',
          tag: evil,
          summary: evil,
          description: `${evil} \`${evil}\``,
          scope: 'evil.write',
          concerns: 'instance',
          query: Strict({ [evil]: Type.Optional(Type.String({ description: evil, pattern: evil })) }),
          body: Strict(
            { [evil]: OneOf([evil], { description: evil, default: evil }) },
            { examples: [{ [evil]: evil }] },
          ),
          responses: {
            200: Strict({ [evil]: Type.String() }, { title: 'Evil', examples: [{ [evil]: evil }] }),
          },
          handler: ({ context, once }) => inFinalTransaction(context, once, async () => ({ [evil]: evil })),
        }),
      ],
      { publicUrl: `https://pay.example.com/${evil}`, version: evil },
    ),
  )

  expect(text).not.toContain('<script')
  expect(text).not.toContain(`alert('x')`)
  expect(text).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;')
})

test('shows fields in fields, maps, choices and what may be null', () => {
  const Inner = Strict({ city: Type.String({ maxLength: 9 }) }, { title: 'Inner' })
  const text = renderReference(
    describeApi(
      [
        operation({
          id: 'nest',
          route: 'PUT /nest',
          tag: 'Nests',
          summary: 'Nest',
          scope: 'nests.write',
          concerns: 'instance',
          body: Strict({
            address: Nullable(Inner),
            labels: Type.Record(Type.String(), Type.String()),
            either: Type.Union([Inner, Type.String()]),
            list: Type.Array(Inner),
          }),
          responses: { 204: null },
          handler: async () => {},
        }),
      ],
      { publicUrl: 'https://pay.example.com', version: '1' },
    ),
  )

  const shown = textOf(text)
  expect(shown).toContain('address object or null required')
  expect(shown).toContain('Fields of Inner city string required')
  expect(shown).toContain('at most 9 characters')
  expect(shown).toContain('labels map of string required')
  expect(shown).toContain('either object or string required')
  expect(shown).toContain('list array of object required')
})

test('quotes the body of a request for the shell', () => {
  const text = renderReference(
    describeApi(
      [
        operation({
          id: 'quote',
          route: 'POST /quote',
          tag: 'Quotes',
          summary: 'Quote',
          scope: 'quotes.write',
          concerns: 'instance',
          body: Strict({ name: Type.String() }, { examples: [{ name: "O'Hara $(date)" }] }),
          responses: { 204: null },
          handler: ({ context, once }) => inFinalTransaction(context, once, async () => {}),
        }),
      ],
      { publicUrl: 'https://pay.example.com', version: '1' },
    ),
  )

  expect(textOf(text)).toContain(`{ "name": "O'\\''Hara $(date)" }'`)
})

function articleOf(id: string): string {
  const start = page.indexOf(`<article class="operation" id="${id}"`)
  return page.slice(start, page.indexOf('</article>', start))
}

/** The text that a reader sees. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}
