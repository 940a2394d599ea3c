import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const get = (path: string) => service.send(`GET ${path}`, undefined, { token: null })

test.each(['/dashboard', '/dashboard/', '/dashboard/transactions', '/dashboard/transactions/7b1c?tab=json'])(
  'sends the page at %s',
  async (path) => {
    const response = await get(path)

    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*require-trusted-types-for 'script'; .*script-src 'sha384-[^;]+; frame-ancestors 'none'$/,
    )
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.headers['x-frame-options']).toBe('DENY')
    expect(response.headers).not.toHaveProperty('strict-transport-security')
  },
)

test.each(['/dashboard/assets/index-of-an-earlier-build.js', '/dashboard/favicon.png?v=1'])(
  'sends no page in place of the missing file %s',
  async (path) => {
    expect((await get(path)).statusCode).toBe(404)
  },
)

test('tells browsers in production to use HTTPS alone', async () => {
  const production = await startTestService({
    environment: 'production',
    publicUrl: 'https://pay.example.com',
  })
  try {
    for (const path of ['/dashboard', '/transactions'])
      expect((await production.send(`GET ${path}`)).headers['strict-transport-security']).toBe(
        'max-age=31536000',
      )
  } finally {
    await production.close()
  }
})

test('is not in the inventory of the payment pages', async () => {
  const { scripts } = (await get('/pay/scripts.json')).json()

  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter(({ file }: { file: string }) => file.startsWith('/dashboard'))).toEqual([])
})
