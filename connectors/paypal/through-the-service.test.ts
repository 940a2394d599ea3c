import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireAuthorizations } from '#payments/acts/expire.ts'
import { createStandIn, STAND_IN_CLIENT } from '#sandbox/stand-ins/paypal/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

/** Payments of buyers with an account at PayPal, through the whole service, with the stand-in over the network. */

const BACK = 'https://shop.example.com/back'
const WALLET = { method: 'paypal', country: 'US', currency: 'USD', redirect_url: BACK }
let later = 0
const standIn = createStandIn({ now: () => new Date(Date.now() + later) })
let service: TestService
let till: Till
let webhookPath = ''
let webhookId = ''

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
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
  const { id, webhook_url } = made.json()
  webhookPath = new URL(webhook_url).pathname
  // The test hands the messages over itself, so no server listens at the address of the webhook.
  const url = 'https://switchyard.example.com/notifications'
  webhookId = standIn.events.register(STAND_IN_CLIENT.id, { url, event_types: [{ name: '*' }] }).id
  const changed = await service.send(`PUT /payment-services/${id}`, {
    fields: [...Object.entries(fields), ['webhook_id', webhookId]].map(([key, value]) => ({ key, value })),
  })
  expect(changed.statusCode, changed.body).toBe(200)
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

/** Hands a message over, as PayPal does. */
async function hand(body: Record<string, unknown>): Promise<number> {
  const { headers, body: payload } = standIn.events.message(webhookId, body)
  const sent = { ...headers, 'content-type': 'application/json' }
  return (await service.app.inject({ method: 'POST', url: webhookPath, headers: sent, payload })).statusCode
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

test('a dispute of which PayPal tells often, and as a reversal, is one chargeback', async () => {
  const waiting = await till.pay({ payment_method: WALLET, intent: 'capture' })
  await decide(waiting.payment_method.approval_url, 'approve')
  const { payment_service_transaction_id: capture } = await till.get(waiting.id)
  const before = standIn.events.all.length
  const control = async (path: string, body: object) =>
    (
      await standIn.fetch(`${standIn.url()}/_stand-in/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
    ).json()
  const { id } = (await control('disputes', { capture_id: capture, stage: 'INQUIRY' })) as { id: string }
  await control(`disputes/${id}`, {})
  await control(`disputes/${id}`, { outcome: 'RESOLVED_BUYER_FAVOUR' })

  for (const { body } of standIn.events.all.slice(before)) expect(await hand(body)).toBe(204)

  const { items } = (await service.send(`GET /chargebacks?transaction_id=${waiting.id}`)).json()
  expect(items).toMatchObject([{ amount: -1000, reason_code: 'UNAUTHORISED' }])
  expect((await till.get(waiting.id)).disputed).toBe(true)
  const disputes = (await service.send(`GET /disputes?transaction_id=${waiting.id}`)).json().items
  expect(disputes).toMatchObject([{ external_identifier: id, stage: 'lost', amount: 1000 }])
  const stages = disputes[0].steps.map(({ stage }: { readonly stage: string }) => stage)
  expect(stages).toEqual(['inquiry', 'chargeback', 'lost'])
})

test('messages that come twice, out of order, late, or about nothing of ours change nothing', async () => {
  const waiting = await till.pay({ payment_method: WALLET, intent: 'capture' })
  await decide(waiting.payment_method.approval_url, 'approve')
  await till.act(waiting.id, 'refunds', { amount: 400 })
  const { payment_service_transaction_id: capture } = await till.get(waiting.id)
  const orderId = standIn.books.captures.get(capture)?.orderId ?? ''
  const told = await till.told(waiting.id)
  const after = await till.get(waiting.id)
  const ours = standIn.events.all
    .map(({ body }) => body)
    .filter((body) => JSON.stringify(body).includes(orderId) || JSON.stringify(body).includes(capture))

  const statuses = []
  for (const body of [...ours.toReversed(), ...ours]) statuses.push(await hand(body))
  const stranger = JSON.parse(
    JSON.stringify(ours)
      .replaceAll(capture, 'CAPTUREOFOTHERS17')
      .replaceAll(orderId, 'ORDEROFOTHERS0017')
      .replace(/"custom_id":"[^"]+"/g, '"custom_id":"a sale at the counter"')
      .replace(/"invoice_id":"[^"]+"/g, '"invoice_id":"0000000000000000000009"'),
  )
  for (const body of stranger) statuses.push(await hand(body))

  expect(ours.length).toBeGreaterThan(2)
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  expect(after).toMatchObject({ captured_amount: 1000, refunded_amount: 400 })
  expect(await till.get(waiting.id)).toEqual(after)
  expect(await till.told(waiting.id)).toEqual(told)
})

test('a late capture is reauthorized after PayPal’s three days, and a new payment of the stored account after our seven', async () => {
  const { id, approval_url } = (await service.send('POST /payment-methods', WALLET)).json()
  await decide(approval_url, 'approve')
  const held = { payment_method: { method: 'id', id, redirect_url: BACK } }
  const [late, expired] = [await till.pay(held), await till.pay(held)]
  const pass = (days: number) => {
    later += days * 86_400_000
    service.moveClock(days * 86_400_000)
  }

  pass(5)
  const before = standIn.events.all.length
  expect((await till.act(late.id, 'capture', {})).statusCode).toBe(200)
  const captured = await till.get(late.id)
  const renewed = [...standIn.books.authorizations.values()].filter(({ parentId }) => parentId !== null)
  expect(renewed).toMatchObject([{ parentId: late.payment_service_transaction_id, status: 'CAPTURED' }])
  const told = standIn.events.all.slice(before)
  expect(told.map(({ type }) => type)).toEqual(['PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.CAPTURE.COMPLETED'])
  // Signatures are about real time.
  const moved = later
  later = 0
  for (const { body } of [...told, ...told.toReversed()]) expect(await hand(body)).toBe(204)
  later = moved
  expect(await till.get(late.id)).toEqual(captured)
  pass(3)
  await expireAuthorizations(service.context, service.engine)
  await service.resolveDue()
  const anew = await till.act(expired.id, 'capture', { reauthorize_if_authorization_expired: true })

  expect(await till.get(late.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  const old = await till.get(expired.id)
  expect(old).toMatchObject({ status: 'authorization_voided', error_code: 'expired_authorization' })
  expect(standIn.books.authorizations.get(old.payment_service_transaction_id)?.status).toBe('VOIDED')
  expect(anew.json(), anew.body).toMatchObject({
    status: 'capture_succeeded',
    captured_amount: 1000,
    reauthorized_from_transaction_id: expired.id,
  })
})
