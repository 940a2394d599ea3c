import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { OPERATIONS } from '#testing/operations.ts'
import { errorsOf, type Operation, operation } from '../http/operation.ts'
import { Nullable, OneOf, Strict } from '../http/schemas.ts'
import { Type } from '../http/type.ts'
import { inFinalTransaction } from '../idempotency/once.ts'
import { describeApi, type OpenApiDocument } from './openapi.ts'
import { renderOperation } from './pages.ts'
import { planSite, type SiteFacts } from './site.ts'

let service: TestService
let document: OpenApiDocument
/** Every page of the reference and every guide, by its address. */
const pages = new Map<string, string>()
beforeAll(async () => {
  service = await startTestService()
  document = (await service.app.inject('/openapi.json')).json()
  const waiting = ['/docs']
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
  for (const url of ['/docs/all', '/docs/operations/create_transaction', '/openapi.json']) {
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
  const [, first] = linksOf(pages.get('/docs') ?? '').filter((href) => href.startsWith('/docs/api/'))

  expect(first).toBe('/docs/api/transactions')
  expect(resources.length).toBeGreaterThan(30)
  expect(guides.filter((href) => !pages.has(href))).toEqual([])
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining(['/docs/errors', '/docs/readme', '/docs/glossary']),
  )
})

test('has a page for each operation, which its resource and the list of all name', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [verb, { operationId, summary }] of Object.entries(item)) {
      const href = `/docs/operations/${operationId}`
      const entry = `<li id="${operationId}"><a href="${href}">${summary}</a>`
      const listed = [...pages].filter(([, page]) => page.includes(entry)).map(([address]) => address)

      expect(listed.length, operationId).toBe(2)
      expect(listed, operationId).toContain('/docs/all')
      expect(listed.some((address) => address.startsWith('/docs/api/'))).toBe(true)
      expect(articleOf(operationId), operationId).toContain(`${summary} ${verb}${path}`)
      expect(pages.get(href)).toContain(`<a href="${href}" aria-current="page">`)
    }
  }
})

test('has a page for each object, and a list of all', () => {
  const names = Object.keys(document.components.schemas)

  expect(names.filter((name) => !pages.has(`/docs/objects/${name}`))).toEqual([])
  expect(textOf(pages.get('/docs/objects') ?? '')).toContain(names.join(''))
})

test('keeps every page of the reference short', () => {
  const reference = [...pages].filter(([href]) => /^[/]docs($|[/](all|api|objects|operations)\b)/.test(href))
  const tooLong = reference.filter(([, page]) => Buffer.byteLength(page) > 100_000).map(([href]) => href)

  expect(tooLong).toEqual([])
  expect(reference.length).toBeGreaterThan(800)
})

test('answers an unknown address with a page that says so', async () => {
  const response = await service.app.inject('/docs/api/%3Cscript%3E')

  expect(response.statusCode).toBe(404)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.headers['cache-control']).toBe('no-store')
  expect(textOf(response.body)).toContain('There is no such page')
})

test('is not sent again to a browser that has it', async () => {
  for (const url of ['/docs', '/docs/operations/create_transaction', '/openapi.json']) {
    const first = await service.app.inject({ url, headers: { 'accept-encoding': 'br' } })
    const etag = String(first.headers['etag'])
    const again = await service.app.inject({ url, headers: { 'if-none-match': `"other", ${etag}` } })
    const changed = await service.app.inject({ url, headers: { 'if-none-match': 'W/"other"' } })

    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(changed.statusCode).toBe(200)
  }
})

test('shows for an operation its scope, its fields, requests and an answer', () => {
  const article = articleOf('create_api_key_pair')

  expect(article).toContain('Requires the scope api-key-pairs.write.')
  expect(article).toContain('Idempotency-Key')
  expect(article).toContain('role_ids array of string required')
  expect(article).toContain('1 to 20 items · no duplicates')
  expect(article).toContain('One of ECDSA RSA EdDSA')
  expect(article).toContain('curl -X POST http://127.0.0.1:3000/api-key-pairs')
  expect(article).toContain('-H "Authorization: Bearer $(bin/switchyard token)"')
  expect(article).toContain('"thumbprint": "va-SLs5AxJNfqKXD8LI5Y38BflpNvjZjY4RSWz66U1w"')
})

test.each([
  ['create_api_key_pair', '403 step_up_required 409 concurrent_request 409 duplicate_record 422 reused_key'],
  ['get_buyer', '404 not_found'],
  ['list_buyers', ''],
  ['update_transaction', '404 not_found 425 too_early'],
  [
    'create_transaction',
    '409 concurrent_request 409 duplicate_record 422 reused_key 425 too_early 429 too_many_requests',
  ],
])('shows for %s its own errors: %j', (id, own) => {
  const page = pages.get(`/docs/operations/${id}`) ?? ''
  const [, list = ''] = /<ul class="failures">([\s\S]*?)<[/]ul>/.exec(page) ?? []
  const shown = [...list.matchAll(/error-(\d+)">[\s\S]*?<code>(\w+)/g)].map(([, ...words]) => words.join(' '))

  expect(shown.join(' ')).toBe(own)
  expect(articleOf(id)).toContain('that operations share: 400, 401, 403, 429, 500, 503.')
})

test('says of no operation twice that it has an error', () => {
  const twice = OPERATIONS.filter(({ errors = [], ...rest }) => {
    const { common, own } = errorsOf(rest as Operation)
    return errors.some((code) => [...common, ...own].includes(code) && code !== 'too_many_requests')
  })

  expect(twice.map(({ id }) => id)).toEqual([])
})

test('explains every error once', () => {
  const page = textOf(pages.get('/docs/api/errors') ?? '')

  for (const status of [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 503, 504]) {
    expect(page).toContain(`${status} `)
    expect(pages.get('/docs/api/errors')).toContain(`id="error-${status}"`)
  }
  for (const code of ['bad_request', 'duplicate_record', 'too_many_requests'])
    expect(page).toContain(`Example of ${code}`)
})

test('names the variants of a payment method, with an example of each', () => {
  const article = articleOf('create_transaction')

  expect(article).toContain('payment_method one of 13 objects or null')
  expect(article).toContain('card A card by its number. PayWithCard')
  expect(article).toContain('id A stored payment method. PayWithStoredMethod')
  expect(article).toContain('applepay Apple Pay. PayWithApplePay')
  expect(article).toContain('"method": "googlepay_pan_only"')
  expect(articleOf('create_payment_method')).toContain(
    'bank A bank account in the euro area. StoreSepaAccount',
  )
})

test('shows an object in place once, and what is nested in it on its own page', () => {
  const page = pages.get('/docs/operations/create_transaction') ?? ''

  expect(page.match(/Fields of NewGuestBuyer</g)).toHaveLength(1)
  expect(page).not.toContain('Fields of NewAddress<')
  expect(page).toContain('<a href="/docs/objects/NewAddress">NewAddress</a>')
})

test('names options that are sent nowhere in one list that is closed', () => {
  const page = pages.get('/docs/objects/TransactionConnectionOptions') ?? ''
  const [, aside = ''] = /<details class="aside">([\s\S]*?)<[/]details>/.exec(page) ?? []

  expect(textOf(aside)).toMatch(/^\d+ blocks for providers without a connector: they are checked and stored/)
  expect(aside).toContain('<code>forter-anti-fraud</code>')
  expect(textOf(aside)).not.toContain('adyen-card')
  expect(textOf(page.replace(aside, ''))).toContain('adyen-card object or null')
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
    const ownPicture = /^<img src="[/]docs[/]images[/][\w-]+[.](?:webp|svg)" alt="[^"]+" loading="lazy">$/
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
    [...pages.values()].flatMap((page) => page.match(/[/]docs[/]images[/][\w-]+[.](?:webp|svg)/g) ?? []),
  )
  expect(named.size).toBeGreaterThan(3)
  expect([...named].filter((url) => url.endsWith('.svg'))).not.toEqual([])
  for (const url of named) {
    const picture = await service.app.inject(url)
    expect(picture.statusCode, url).toBe(200)
    expect(picture.headers).toMatchObject({
      'content-type': url.endsWith('.svg') ? 'image/svg+xml' : 'image/webp',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(picture.rawPayload.length, url).toBeLessThanOrEqual(60_000)
  }
  for (const url of ['/docs/images/none.webp', '/docs/images/..%2f..%2fpackage.json', '/docs/images/'])
    expect((await service.app.inject(url)).statusCode, url).toBe(404)
})

test('allows only its own style and script, and those of pages whose table is filtered', async () => {
  const ownOf = (body: string) =>
    ['style', 'script'].map((tag) =>
      hashOf(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body)?.[1] ?? ''),
    )
  const filtering = await service.app.inject('/docs/connectors/methods')
  const [filterStyle, filterScript] = ownOf(filtering.body)
  for (const url of [
    '/docs',
    '/docs/api/buyers',
    '/docs/guide/requests',
    '/docs/search?q=x',
    '/docs/nothing',
  ]) {
    const response = await service.app.inject(url)
    const [style, script] = ownOf(response.body)

    expect([style, script]).not.toEqual([filterStyle, filterScript])
    expect(response.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${style} ${filterStyle}; script-src ${script} ${filterScript}; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    )
    expect(response.headers['referrer-policy']).toBe('no-referrer')
    expect(filtering.headers['content-security-policy']).toBe(response.headers['content-security-policy'])
  }
})

test('escapes all text of the table', async () => {
  const evil = `"><script>alert('x')</script>&`
  const text = renderFirst(
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
  const text = renderFirst(
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
  expect(shown).toContain('either Inner or string required')
  expect(shown).toContain('list array of Inner required')
})

test('quotes the body of a request for each language', async () => {
  const text = renderFirst(
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

function siteOf(operations: readonly Operation[], facts: Parameters<typeof describeApi>[1] & SiteFacts) {
  return planSite(describeApi(operations, facts), operations, facts)
}

function renderFirst(site: ReturnType<typeof planSite>): string {
  const [page] = site.groups[0]?.pages ?? []
  const [entry] = page?.parts[0]?.operations ?? []
  if (!page || !entry) throw new Error('no operation')
  return renderOperation(site, page, entry)
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

/** The text of the page of an operation. */
function articleOf(id: string): string {
  const page = pages.get(`/docs/operations/${id}`) ?? ''
  return textOf(page.slice(page.indexOf('<article'), page.indexOf('</article>')))
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
