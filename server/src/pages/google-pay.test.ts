import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

const FRAME = '/google-pay/button.html'
const HOSTS = { api: 'pay.example.com', checkout: 'checkout.example.com', wallets: 'wallets.example.com' }

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    publicUrl: `https://${HOSTS.api}`,
    checkoutUrl: `https://${HOSTS.checkout}`,
    walletUrl: `https://${HOSTS.wallets}`,
  })
})
afterAll(() => service.close())

const get = (host: string, url: string) => service.app.inject({ url, headers: { host } })

test('the frame is on its host alone, in pages of buyers', async () => {
  const response = await get(HOSTS.wallets, FRAME)

  expect(response.statusCode, response.body).toBe(200)
  const policy = String(response.headers['content-security-policy'])
  expect(policy).toMatch(/script-src 'sha384-[^']+' https:[/][/]pay[.]google[.]com;/)
  expect(policy).toContain(`frame-ancestors https://${HOSTS.checkout};`)
  expect(policy).not.toContain('trusted-types')
  expect(response.headers).not.toHaveProperty('integrity-policy')
  expect(response.headers).not.toHaveProperty('set-cookie')
  for (const host of [HOSTS.api, HOSTS.checkout]) expect((await get(host, FRAME)).statusCode).toBe(404)
})

test.each([
  ['a shop', 'https://shop.example.com', 'https://shop.example.com'],
  ['a second rule', "https://a.example; script-src 'unsafe-inline'", ''],
  ['every host', 'https://*', ''],
])('beside them, only %s that is an origin may hold it', async (_what, shop, added) => {
  const response = await get(HOSTS.wallets, `${FRAME}?shop=${encodeURIComponent(shop)}`)

  const allowed = /frame-ancestors ([^;]*)/.exec(String(response.headers['content-security-policy']))?.[1]
  expect(allowed).toBe(`https://${HOSTS.checkout}${added && ` ${added}`}`)
})

test.each(['/', '/transactions', '/pay/example', '/fields.js', '/dashboard/', '/auth/session'])(
  'nothing else is on that host: %s',
  async (path) => {
    const { statusCode } = await get(HOSTS.wallets, path)

    // Pages of buyers lead to their own host.
    expect([308, 404]).toContain(statusCode)
  },
)

test('the list of scripts names Google’s, without a digest', async () => {
  const { scripts } = (await get(HOSTS.checkout, '/pay/scripts.json')).json()

  expect(scripts).toContainEqual({
    file: 'https://pay.google.com/gp/p/js/pay.js',
    integrity: null,
    reason: expect.stringContaining('WALLET_URL'),
    pages: ['google-pay/button.html'],
  })
})
