import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill } from '#testing/till.ts'

const CHECKOUT = 'checkout.example.com'
const FRAME = '/input.html?parentOrigin=https://shop.example.com'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ checkoutUrl: `https://${CHECKOUT}` })
})
afterAll(() => service.close())

const onCheckout = { headers: { host: CHECKOUT } }

describe('with a host of their own, pages of buyers', () => {
  test('are on that host', async () => {
    const response = await service.send(`GET ${FRAME}`, undefined, onCheckout)

    expect(response.statusCode).toBe(200)
  })

  test.each([FRAME, '/fields.js', '/embed.js', '/f.js', '/pay/scripts.json', '/approvals/default/x/y'])(
    'lead there from other hosts: %s',
    async (address) => {
      const response = await service.send(`GET ${address}`)

      expect(response.statusCode).toBe(308)
      expect(response.headers['location']).toBe(`https://${CHECKOUT}${address}`)
    },
  )

  test('are what links of the API name', async () => {
    const link = await service.send('POST /payment-links', { amount: 1299, currency: 'USD', country: 'US' })
    const asking = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com' }
    const payment = await openTill(service).pay({ payment_method: asking })

    expect(link.json().url).toMatch(/^https:\/\/checkout[.]example[.]com\/pay\//)
    expect(payment.payment_method.approval_url).toMatch(/^https:\/\/checkout[.]example[.]com\/approvals\//)
  })

  test('can enter cards there', async () => {
    const session = (await service.send('POST /checkout/sessions', {})).json().id
    const url = `PUT /checkout/sessions/${session}/fields`

    const response = await service.send(url, { payment_method: CARD }, { ...onCheckout, token: null })

    expect(response.statusCode).toBe(204)
  })

  test.each([
    'GET /transactions',
    'POST /checkout/sessions',
    'GET /docs',
    'GET /openapi.json',
    'GET /metrics',
    'GET /',
    'GET /payment-links',
  ])('are not beside %s', async (route) => {
    const response = await service.send(route, undefined, onCheckout)

    expect(response.statusCode).toBe(404)
  })

  test.each(['GET /assets/card-schemes/visa.svg', 'GET /favicon.ico', 'GET /health/live'])(
    'are beside %s',
    async (route) => {
      expect((await service.send(route, undefined, onCheckout)).statusCode).toBe(200)
    },
  )
})
