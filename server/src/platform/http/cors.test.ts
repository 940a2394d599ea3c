import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

const OPEN = '/card-details'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

function preflight(path: string, headers: Record<string, string> = {}) {
  return service.send(`OPTIONS ${path}`, undefined, {
    token: null,
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET', ...headers },
  })
}

test('answers a browser’s preflight request', async () => {
  const response = await preflight(OPEN)

  expect(response.statusCode).toBe(204)
  expect(response.body).toBe('')
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, x-request-id, x-service-merchant-account-id',
    'access-control-max-age': '7200',
    vary: 'access-control-request-headers',
  })
  expect(response.headers['x-request-id']).toBeDefined()
  expect(response.headers['access-control-allow-credentials']).toBeUndefined()
})

test('allows the merchant account header under any of its names, and no other header', async () => {
  const response = await preflight(OPEN, {
    'access-control-request-headers':
      'authorization, X-Acme-Merchant-Account-ID,x-evil, x-merchant-account-id',
  })

  const allowed = String(response.headers['access-control-allow-headers']).split(', ')
  expect(allowed).toContain('x-acme-merchant-account-id')
  expect(allowed).not.toContain('x-evil')
  expect(allowed.length).toBe(6)
})

test('answers the same with a query and with a bad token', async () => {
  const withQuery = await preflight(`${OPEN}?currency=EUR&bin=411111`)
  const withToken = await preflight(OPEN, { authorization: 'Bearer nonsense' })

  expect(withQuery.statusCode).toBe(204)
  expect(withToken.statusCode).toBe(204)
})

test.each([
  ['an answer', `${OPEN}?currency=EUR&bin=411111`, {}, 200],
  ['a bad request', OPEN, {}, 400],
  ['a missing token', `${OPEN}?currency=EUR&bin=411111`, { token: null }, 401],
  ['an account out of reach', `${OPEN}?currency=EUR&bin=411111`, { account: 'nowhere' }, 403],
])('lets a page read %s', async (_name, path, options, status) => {
  const response = await service.send(`GET ${path}`, undefined, options)

  expect(response.statusCode, response.body).toBe(status)
  expect(response.headers['access-control-allow-origin']).toBe('*')
  expect(response.headers['access-control-expose-headers']).toBe(
    'x-request-id, retry-after, idempotent-replayed',
  )
})

test('answers HEAD to a page as it answers GET', async () => {
  const response = await service.send(`HEAD ${OPEN}?currency=EUR&bin=411111`)

  expect(response.statusCode).toBe(200)
  expect(response.headers['access-control-allow-origin']).toBe('*')
})

test.each(['/api-key-pairs', '/card-scheme-definitions', '/merchant-accounts/default'])(
  '%s is not for browsers',
  async (path) => {
    const asked = await preflight(path)
    const sent = await service.send(`GET ${path}`, undefined, { headers: { origin: 'https://shop.example' } })

    expect(asked.statusCode).toBe(405)
    expect(sent.statusCode).toBe(200)
    for (const { headers } of [asked, sent]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  },
)

test('an unknown path has no preflight', async () => {
  expect((await preflight('/nowhere')).statusCode).toBe(404)
  expect((await preflight(`${OPEN}/`)).statusCode).toBe(404)
})

test('an unknown method is answered with the allowed ones', async () => {
  const response = await service.send(`PUT ${OPEN}`, {})

  expect(response.statusCode).toBe(405)
  expect(response.headers.allow).toBe('GET, HEAD, OPTIONS')
})
