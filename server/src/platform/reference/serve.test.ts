import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { operation } from '../http/operation.ts'
import { Nullable, OneOf, Strict } from '../http/schemas.ts'
import { inFinalTransaction } from '../idempotency/once.ts'
import { describeApi, type OpenApiDocument } from './openapi.ts'
import { renderWhole } from './pages.ts'
import { planSite } from './site.ts'

let service: TestService
let document: OpenApiDocument
/** Every page of the reference and every guide, by its address. */
const pages = new Map<string, string>()
let whole: string
beforeAll(async () => {
  service = await startTestService()
  document = (await service.app.inject('/openapi.json')).json()
  whole = (await service.app.inject('/docs/all')).body
  const waiting = ['/docs', '/docs/all']
  for (let href = waiting.pop(); href !== undefined; href = waiting.pop()) {
    const { statusCode, body } = await service.app.inject(href)
    expect(statusCode, href).toBe(200)
    pages.set(href, body)
    waiting.push(
      ...linksOf(body).filter(
        (link) => link.startsWith('/docs') && !pages.has(link) && !waiting.includes(link),
      ),
    )
  }
})
afterAll(() => service.close())

test('is the target of the root path', async () => {
  const response = await service.app.inject('/')

  expect(response.statusCode).toBe(302)
  expect(response.headers.location).toBe('/docs')
})

test('is found with a slash at its end, and has an icon that browsers ask for on their own', async () => {
  const slash = await service.app.inject('/docs/')
  const longer = await service.app.inject('/docs/api/buyers/')
  const icon = await service.app.inject('/favicon.ico')

  expect([slash.statusCode, slash.headers.location]).toEqual([308, '/docs'])
  expect([longer.statusCode, longer.headers.location]).toEqual([308, '/docs/api/buyers'])
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
  for (const url of ['/docs', '/docs/api/transactions', '/openapi.json']) {
    const plain = await service.app.inject(url)
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const first = await service.app.inject({ url, headers })
    const second = await service.app.inject({ url, headers })

    expect(first.headers['content-encoding']).toBe(encoding)
    expect(first.headers['vary']).toBe('accept-encoding')
    expect(open(first.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
    if (encoding) expect(first.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(Number(first.headers['content-length'])).toBe(first.rawPayload.length)
  }
})

test('has a page for each resource, transactions first, and a page for each guide', () => {
  const resources = [...pages.keys()].filter((href) => href.startsWith('/docs/api/'))
  const guides = globSync('docs/{guide,connectors}/*.md').map((file) => `/${file.replace('.md', '')}`)
  const [first] = linksOf(pages.get('/docs') ?? '').filter((href) => href.startsWith('/docs/api/'))

  expect(first).toBe('/docs/api/transactions')
  expect(resources.length).toBeGreaterThan(30)
  expect(guides.filter((href) => !pages.has(href))).toEqual([])
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining(['/docs/errors', '/docs/readme', '/docs/glossary']),
  )
})

test('shows every operation on the page of its resource and on the page of all', () => {
  const articles = [...pages].flatMap(([href, page]) =>
    [...page.matchAll(/<article class="operation" id="(\w+)"/g)].map(([, id]) => `${href}#${id}`),
  )
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [verb, { operationId, summary }] of Object.entries(item)) {
      const [own, ...others] = articles.filter(
        (href) => href.endsWith(`#${operationId}`) && !href.startsWith('/docs/all'),
      )
      expect(others, operationId).toEqual([])
      expect(own, operationId).toMatch(/^\/docs\/api\//)
      expect(articles, operationId).toContain(`/docs/all#${operationId}`)
      expect(pages.get('/docs')?.includes(`<li id="${operationId}"><a href="${own}">`), operationId).toBe(
        true,
      )
      expect(textOf(articleOf(operationId))).toContain(`${summary} #`)
      expect(textOf(articleOf(operationId))).toContain(`${verb}${path}`)
    }
  }
})

test('leads from an id to where the operation or the object is', async () => {
  const operation = await service.app.inject('/docs/operations/create_transaction')
  const object = await service.app.inject('/docs/objects/Transaction')
  const unknown = await service.app.inject('/docs/operations/nothing')

  expect([operation.statusCode, operation.headers.location]).toEqual([
    302,
    '/docs/api/transactions#create_transaction',
  ])
  expect([object.statusCode, object.headers.location]).toEqual([
    302,
    '/docs/api/transactions#schema-Transaction',
  ])
  expect([unknown.statusCode, unknown.headers.location]).toEqual([302, '/docs#operations'])
})

test('answers an unknown address with a page that says so', async () => {
  const response = await service.app.inject('/docs/api/%3Cscript%3E')

  expect(response.statusCode).toBe(404)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.headers['cache-control']).toBe('no-store')
  expect(textOf(response.body)).toContain('There is no such page')
})

test('is not sent again to a browser that has it', async () => {
  for (const url of ['/docs', '/docs/api/transactions', '/openapi.json']) {
    const first = await service.app.inject({ url, headers: { 'accept-encoding': 'br' } })
    const etag = String(first.headers['etag'])
    const again = await service.app.inject({ url, headers: { 'if-none-match': `"other", ${etag}` } })
    const changed = await service.app.inject({ url, headers: { 'if-none-match': 'W/"other"' } })

    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(changed.statusCode).toBe(200)
  }
})

test('shows for an operation its scope, its fields, requests, an answer and its errors', () => {
  const article = textOf(articleOf('create_api_key_pair'))

  expect(article).toContain('Requires the scope api-key-pairs.write.')
  expect(article).toContain('Idempotency-Key')
  expect(article).toContain('role_ids array of string required')
  expect(article).toContain('1 to 20 items · no duplicates')
  expect(article).toContain('One of ECDSA RSA EdDSA')
  expect(article).toContain('curl -X POST http://127.0.0.1:3000/api-key-pairs')
  expect(article).toContain('-H "Authorization: Bearer $(bin/switchyard token)"')
  expect(article).toContain('"thumbprint": "va-SLs5AxJNfqKXD8LI5Y38BflpNvjZjY4RSWz66U1w"')
  for (const status of [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 503, 504]) {
    expect(article).toContain(String(status))
  }
  for (const code of ['bad_request', 'duplicate_record', 'too_many_requests']) expect(article).toContain(code)
})

test('names the variants of a payment method, with an example of each', () => {
  const article = textOf(articleOf('create_transaction'))

  expect(article).toContain('payment_method one of 13 objects or null')
  expect(article).toContain('card A card by its number. PayWithCard')
  expect(article).toContain('id A stored payment method. PayWithStoredMethod')
  expect(article).toContain('applepay Apple Pay. PayWithApplePay')
  expect(article).toContain('"method": "googlepay_pan_only"')
  expect(textOf(articleOf('create_payment_method'))).toContain(
    'bank A bank account in the euro area. StoreSepaAccount',
  )
})

test('has no dead link and no id twice', () => {
  const ids = new Map(
    [...pages].map(([href, page]) => [href, [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
  )
  const dead = [...pages].flatMap(([href, page]) =>
    hrefsOf(page).filter((link) => {
      const [path, fragment] = link.startsWith('#') ? [href, link.slice(1)] : link.split('#')
      if (!path?.startsWith('/docs')) return !/^https?:|^\/openapi.json$|^data:/.test(link)
      return fragment === undefined ? !ids.has(path) : !ids.get(path)?.includes(decodeURIComponent(fragment))
    }),
  )

  expect([...new Set(dead)]).toEqual([])
  for (const [href, found] of ids) expect(found.length, href).toBe(new Set(found).size)
})

test('runs only its own script and loads nothing', () => {
  for (const [href, page] of pages) {
    const markup = page.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '')
    const tags = markup.match(/<[^>]+>/g) ?? []
    const loading = /^<(?:script|iframe|img|object|embed)|\s(?:on\w+|style|src|srcset)=|="javascript:/i
    // Pictures of the documents come from here.
    const ownPicture = /^<img src="[/]docs[/]images[/][\w-]+[.]webp" alt="[^"]+" loading="lazy">$/
    expect(
      tags.filter((tag) => loading.test(tag) && !ownPicture.test(tag)),
      href,
    ).toEqual([])
    expect(page.match(/<script/g), href).toHaveLength(1)
    expect(page.match(/<form /g), href).toHaveLength(1)
    const loaded = [...page.matchAll(/<link[^>]+href="([^"]+)"/g)].map(([, address]) => address)
    expect(loaded.every((address) => address?.startsWith('data:'))).toBe(true)
  }
})

test('serves the pictures of its documents, and no other file', async () => {
  const named = new Set(
    [...pages.values()].flatMap((page) => page.match(/[/]docs[/]images[/][\w-]+[.]webp/g) ?? []),
  )
  expect(named.size).toBeGreaterThan(3)
  for (const url of named) {
    const picture = await service.app.inject(url)
    expect(picture.statusCode, url).toBe(200)
    expect(picture.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(picture.rawPayload.length, url).toBeLessThanOrEqual(60_000)
  }
  for (const url of ['/docs/images/none.webp', '/docs/images/..%2f..%2fpackage.json', '/docs/images/'])
    expect((await service.app.inject(url)).statusCode, url).toBe(404)
})

test('allows only its own style and script', async () => {
  for (const url of [
    '/docs',
    '/docs/api/buyers',
    '/docs/guide/requests',
    '/docs/search?q=x',
    '/docs/nothing',
  ]) {
    const response = await service.app.inject(url)
    const style = /<style>([\s\S]*?)<\/style>/.exec(response.body)?.[1] ?? ''
    const script = /<script>([\s\S]*?)<\/script>/.exec(response.body)?.[1] ?? ''

    expect(response.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    )
    expect(response.headers['referrer-policy']).toBe('no-referrer')
  }
})

test('escapes all text of the table', async () => {
  const evil = `"><script>alert('x')</script>&`
  const text = await renderWhole(
    siteOf(
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

  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text).not.toContain(`alert('x')`)
  expect(text).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;')
})

test('shows fields in fields, maps, choices and what may be null', async () => {
  const Inner = Strict({ city: Type.String({ maxLength: 9 }) }, { title: 'Inner' })
  const text = await renderWhole(
    siteOf(
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

test('quotes the body of a request for each language', async () => {
  const text = await renderWhole(
    siteOf(
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

  const shown = textOf(text)
  expect(shown).toContain(`{ "name": "O'\\''Hara $(date)" }'`)
  expect(shown).toContain(`body: JSON.stringify({ name: 'O\\'Hara $(date)', })`)
  expect(shown).toContain(`json={ "name": "O'Hara $(date)", }`)
})

function siteOf(...parts: Parameters<typeof describeApi>) {
  return planSite(describeApi(...parts), {})
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function hrefsOf(page: string): string[] {
  return [...page.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href ?? '')
}

/** The pages that a page links to. */
function linksOf(page: string): string[] {
  return [...new Set(hrefsOf(page).map((href) => href.split('#')[0] ?? ''))]
}

function articleOf(id: string): string {
  const start = whole.indexOf(`<article class="operation" id="${id}"`)
  return whole.slice(start, whole.indexOf('</article>', start))
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
