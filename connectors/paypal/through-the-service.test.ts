import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { createStandIn, STAND_IN_CLIENT } from './stand-in/stand-in.ts'

/** Payments of buyers with an account at PayPal, through the whole service, with the stand-in over the network. */

const BACK = 'https://shop.example.com/back'
const WALLET = { method: 'paypal', country: 'US', currency: 'USD', redirect_url: BACK }
const standIn = createStandIn({ now: () => new Date() })
let service: TestService
let till: Till

beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const fields = {
    client_id: STAND_IN_CLIENT.id,
    client_secret: STAND_IN_CLIENT.secret,
    stand_in_url: await standIn.listen(),
  }
  const made = await service.send('POST /payment-services', {
    display_name: 'PayPal',
    payment_service_definition_id: 'paypal-paypal',
    fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    payment_method_tokenization_enabled: true,
  })
  expect(made.statusCode, made.body).toBe(201)
})
afterAll(async () => {
  await service.close()
  await standIn.close()
})

/** The buyer decides on PayPal's page, and the browser comes back to us. Returns where we send it. */
async function decide(page: string, decision: string): Promise<string | undefined> {
  const body = new URLSearchParams({ decision })
  const response = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? '')
  const visit = await service.send(`GET ${back.pathname}${back.search}`, undefined, { token: null })
  return visit.headers['location'] as string | undefined
}

test('a buyer approves, comes back, and is charged once', async () => {
  const waiting = await till.pay({ payment_method: WALLET, intent: 'capture' })
  expect(waiting.status).toBe('buyer_approval_pending')

  const shop = await decide(waiting.payment_method.approval_url, 'approve')

  expect(shop).toContain(BACK)
  expect(await till.get(waiting.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  expect(standIn.books.captures.size).toBe(1)
  const refund = await till.act(waiting.id, 'refunds', { amount: 400 })
  expect(refund.statusCode, refund.body).toBe(201)
  expect((await till.get(waiting.id)).refunded_amount).toBe(400)
})

test('a buyer who cancels pays nothing', async () => {
  const waiting = await till.pay({ payment_method: WALLET })

  await decide(waiting.payment_method.approval_url, 'cancel')

  expect(await till.get(waiting.id)).toMatchObject({
    status: 'authorization_failed',
    error_code: 'cancelled_buyer_approval',
  })
})

test('an account at PayPal is stored with the buyer’s consent, and pays without the buyer', async () => {
  const response = await service.send('POST /payment-methods', WALLET)
  expect(response.statusCode, response.body).toBe(201)
  const { id, approval_url } = response.json()
  await decide(approval_url, 'approve')
  const stored = (await service.send(`GET /payment-methods/${id}`)).json()
  expect(stored).toMatchObject({
    status: 'succeeded',
    label: expect.stringMatching(/^buyer-.*@example\.com$/),
  })

  const payment = await till.pay({ payment_method: { method: 'id', id, redirect_url: BACK } })

  expect(payment).toMatchObject({ status: 'authorization_succeeded', method: 'paypal' })
  const captured = await till.act(payment.id, 'capture', {})
  expect(captured.statusCode, captured.body).toBe(200)
  expect((await till.get(payment.id)).status).toBe('capture_succeeded')
  expect(JSON.stringify([stored, payment])).not.toContain([...standIn.books.paymentTokens.keys()][0])
})
