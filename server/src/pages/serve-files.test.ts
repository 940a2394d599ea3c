import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { readBuiltPages } from './built-pages.ts'

let service: TestService
const { manifest, files } = readBuiltPages()
const SHOP = 'https://shop.example.com'

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

function get(url: string, headers: Record<string, string> = {}) {
  return service.app.inject({ method: 'GET', url, headers })
}

describe('a file of the pages', () => {
  const [name = '', content] = [...files].find(([file]) => file.endsWith('.js')) ?? []

  test('is kept for ever, because its name changes with its content', async () => {
    const response = await get(`/${name}`)

    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    expect(response.rawPayload).toEqual(content?.bodies.identity)
  })

  test.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
  ])('is sent as %s to a browser that accepts %s', async (encoding, accepted, open) => {
    const response = await get(`/${name}`, { 'accept-encoding': accepted })

    expect(response.headers['content-encoding']).toBe(encoding)
    expect(open(response.rawPayload)).toEqual(content?.bodies.identity)
  })

  test('is not sent again to a browser that has it', async () => {
    const first = await get(`/${name}`)

    const again = await get(`/${name}`, { 'if-none-match': String(first.headers.etag) })

    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  test.each([
    '/fields/assets/input-missing.js',
    '/fields/',
    '/fields/../package.json',
    '/fields/input.html',
    '/manifest.json',
  ])('that is not listed is not found: %s', async (url) => {
    const response = await get(url)

    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toMatch(/^application\/json/)
  })
})

describe('a loader', () => {
  test.each(Object.entries(manifest.loaders))('/%s can be loaded by any page', async (address, file) => {
    const response = await get(`/${address}`)

    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=600',
      etag: `"${manifest.files[file]?.integrity}"`,
    })
  })
})

describe('a frame of a card form', () => {
  test.each(['controller', 'input'])('%s runs its own scripts alone, in pages of its shop', async (frame) => {
    const response = await get(`/${frame}.html?parentOrigin=${SHOP}`)

    const page = manifest.pages[`fields/${frame}.html`]
    const digests = page?.scripts.map((script) => `'${manifest.files[script]?.integrity}'`).join(' ')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; " +
        `script-src ${digests}; frame-ancestors ${SHOP}`,
    )
    expect(response.headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'integrity-policy': 'blocked-destinations=(script)',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers).not.toHaveProperty('x-frame-options')
    for (const script of page?.scripts ?? []) {
      expect(response.body).toContain(`src="/${script}" integrity="${manifest.files[script]?.integrity}"`)
    }
  })

  test.each([
    '',
    '?parentOrigin=',
    '?parentOrigin=*',
    '?parentOrigin=https://*',
    '?parentOrigin=https://*.example.com',
    '?parentOrigin=https://shop.example.com/path',
    '?parentOrigin=https://shop.example.com/',
    '?parentOrigin=https://user@shop.example.com',
    '?parentOrigin=https://shop.example.com;script-src%20*',
    '?parentOrigin=https://shop.example.com%20https://evil.example',
    '?parentOrigin=https://a.example&parentOrigin=https://b.example',
    '?parentOrigin=javascript:alert(1)',
    '?parentOrigin=null',
    '?parentOrigin=https://SHOP.example.com',
  ])('without the origin of a shop is refused: %s', async (query) => {
    const response = await get(`/input.html${query}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toEqual([
      expect.objectContaining({ location: 'query', pointer: '/parentOrigin' }),
    ])
  })
})
