import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStandIn as createAdyen } from '#sandbox/stand-ins/adyen/stand-in.ts'
import {
  SECRET_KEY as CHECKOUT_KEY,
  createStandIn as createCheckout,
} from '#sandbox/stand-ins/checkout/stand-in.ts'
import { createStandIn as createPayPal, STAND_IN_CLIENT } from '#sandbox/stand-ins/paypal/stand-in.ts'
import { createStandIn as createStripe, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { hasBrowser, launchBrowser } from './browser.ts'
import { startTestService, type TestService } from './harness.ts'
import { CARD, openTill, type Till } from './till.ts'

/** Whole payments through the connectors of real providers, over the network, against their stand-ins. */

const PATIENCE = { timeout: 20_000, interval: 50 }
const PUBLIC_URL = 'http://127.0.0.1:3000'
const WEBHOOK_SECRET = 'whsec_of_the_test'
const BUYER = {
  billing_details: { first_name: 'Ada', last_name: 'Lovelace', email_address: 'ada@example.com' },
}
/** Adyen wants it for 3-D Secure. */
const BROWSER = {
  javascript_enabled: true,
  java_enabled: false,
  language: 'en',
  color_depth: 24,
  screen_height: 900,
  screen_width: 1440,
  time_zone_offset: 0,
  user_agent: 'Mozilla/5.0',
  user_device: 'desktop',
  accept_header: '*/*',
}

type Provider = {
  readonly id: string
  readonly origin: string
  readonly fields: Record<string, string>
  /** Has the provider send its notifications there. May return fields that it gives for it. */
  readonly aim: (url: string) => Promise<Record<string, string>>
  /** What makes a card be declined. */
  readonly declined: object
  /** A card whose bank asks the buyer, and the buttons on the page of the provider. */
  readonly asking: { readonly number: string; readonly approve: string; readonly refuse: string }
  /** Has the buyer's bank take the payment back. Ids are the provider's own. */
  readonly dispute: (ids: { readonly payment: string; readonly capture: string }) => Promise<unknown>
}

let service: TestService
let till: Till
let ownOrigin: string
const closing: (() => Promise<unknown>)[] = []
const providers: Record<string, Provider> = {}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  expect(response.status, url).toBeLessThan(300)
  return (await response.json()) as Record<string, string>
}

async function openAdyen(): Promise<Provider> {
  const standIn = createAdyen({ now: () => new Date(), isAutomatic: true })
  const { origin, close } = await standIn.listen(0)
  closing.push(close)
  const { apiKey, merchantAccount, hmacKey } = standIn.account
  return {
    id: 'adyen-card',
    origin,
    fields: {
      api_key: apiKey,
      merchant_account: merchantAccount,
      hmac_key: hmacKey,
      stand_in_url: origin,
    },
    aim: async (url) => {
      await post(`${origin}/_stand-in/webhook`, { url })
      return {}
    },
    declined: {
      connection_options: { 'adyen-card': { additionalData: { RequestedTestAcquirerResponseCode: '2' } } },
    },
    asking: { number: '5454545454545454', approve: 'Approve', refuse: 'Decline' },
    dispute: ({ payment }) => post(`${origin}/_stand-in/disputes`, { pspReference: payment }),
  }
}

async function openStripe(): Promise<Provider> {
  const standIn = createStripe({ now: () => new Date() })
  const { origin, close } = await standIn.listen(0)
  closing.push(close)
  return {
    id: 'stripe-card',
    origin,
    fields: { secret_key: TEST_KEY, webhook_secret: WEBHOOK_SECRET, stand_in_url: origin },
    aim: async (url) => {
      const body = new URLSearchParams({ url, 'enabled_events[]': '*' })
      const headers = { authorization: `Bearer ${TEST_KEY}` }
      const response = await fetch(`${origin}/v1/webhook_endpoints`, { method: 'POST', headers, body })
      const { secret } = (await response.json()) as { secret: string }
      return { webhook_secret: secret }
    },
    declined: { payment_method: { ...CARD, number: '4000000000000002' } },
    asking: { number: '4000002760003184', approve: 'Approve', refuse: 'Fail' },
    dispute: ({ payment }) => post(`${origin}/_stand-in/payment_intents/${payment}/dispute`, {}),
  }
}

async function openPayPal(): Promise<Provider> {
  const standIn = createPayPal({ now: () => new Date() })
  const origin = await standIn.listen(0)
  closing.push(() => standIn.close())
  const { id, secret } = STAND_IN_CLIENT
  return {
    id: 'paypal-card',
    origin,
    fields: { client_id: id, client_secret: secret, stand_in_url: origin },
    aim: async (url) => {
      const basic = Buffer.from(`${id}:${secret}`).toString('base64')
      const granted = await fetch(`${origin}/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      const { access_token } = (await granted.json()) as { access_token: string }
      const body = { url, event_types: [{ name: '*' }] }
      const headers = { authorization: `Bearer ${access_token}` }
      const webhook = await post(`${origin}/v1/notifications/webhooks`, body, headers)
      return { webhook_id: webhook['id'] ?? '' }
    },
    declined: { buyer: { billing_details: { first_name: 'CCREJECT-REFUSED' } } },
    asking: { number: '4000000000002370', approve: 'Confirm: it is me', refuse: 'Enter a wrong code' },
    dispute: ({ capture }) =>
      post(`${origin}/_stand-in/disputes`, {
        capture_id: capture,
        reason: 'UNAUTHORISED',
        stage: 'CHARGEBACK',
      }),
  }
}

async function openCheckout(): Promise<Provider> {
  const { listen } = createCheckout({ now: () => new Date(), isAutomatic: true })
  const { origin, close } = await listen(0)
  closing.push(close)
  return {
    id: 'checkout-card',
    origin,
    fields: { secret_key: CHECKOUT_KEY, stand_in_url: origin },
    aim: async (url) => {
      const events = { gateway: CHECKOUT_EVENTS, dispute: ['dispute_evidence_required'] }
      const conditions = [{ type: 'event', events }]
      const actions = [{ type: 'webhook', url, signature: { method: 'HMACSHA256', key: WEBHOOK_SECRET } }]
      const headers = { authorization: `Bearer ${CHECKOUT_KEY}` }
      await post(`${origin}/workflows`, { name: 'Shop', conditions, actions }, headers)
      return { signature_key: WEBHOOK_SECRET }
    },
    declined: { payment_method: { ...CARD, number: '4544249167673670' } },
    asking: { number: '4485040371536584', approve: 'Approve', refuse: 'Refuse' },
    dispute: ({ payment }) => post(`${origin}/_stand-in/payments/${payment}/dispute`, {}),
  }
}

const CHECKOUT_EVENTS = ['payment_approved', 'payment_captured', 'payment_voided', 'payment_refunded']

const serviceIds: Record<string, string> = {}

/** A payment service, and a webhook at the provider that leads to it. */
async function connect({ id, fields, aim }: Provider): Promise<string> {
  const list = (given: Record<string, string>) =>
    Object.entries(given).map(([key, value]) => ({ key, value }))
  const body = {
    display_name: id,
    payment_service_definition_id: id,
    fields: list(fields),
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  }
  const created = await service.send('POST /payment-services', body)
  expect(created.statusCode, created.body).toBe(201)
  const { id: serviceId, webhook_url } = created.json()
  const given = await aim(`${ownOrigin}${new URL(webhook_url).pathname}`)
  if (Object.keys(given).length > 0) {
    const updated = await service.send(`PUT /payment-services/${serviceId}`, {
      fields: list({ ...fields, ...given }),
    })
    expect(updated.statusCode, updated.body).toBe(200)
  }
  return serviceId
}

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  ownOrigin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  for (const open of [openAdyen, openStripe, openPayPal, openCheckout]) {
    const provider = await open()
    providers[provider.id] = provider
    serviceIds[provider.id] = await connect(provider)
  }
})
afterAll(async () => {
  for (const close of closing) await close()
  await service.close()
})

describe.each(['adyen-card', 'stripe-card', 'paypal-card', 'checkout-card'])('%s', (id) => {
  const own = () => providers[id] as Provider
  const payment_service_id = () => serviceIds[id] ?? ''
  const pay = (body: object = {}) =>
    till.pay({ buyer: BUYER, ...body, payment_service_id: payment_service_id() })
  const statusOf = (transactionId: string) => async () => (await till.get(transactionId)).status

  test('authorizes a card, captures, and refunds it in parts', async () => {
    const payment = await pay()
    expect(payment, JSON.stringify(payment)).toMatchObject({
      status: 'authorization_succeeded',
      payment_service_transaction_id: expect.any(String),
    })

    const captured = await till.act(payment.id, 'capture', {})
    expect(captured.statusCode, captured.body).toBe(200)
    await expect.poll(statusOf(payment.id), PATIENCE).toBe('capture_succeeded')
    for (const amount of [400, 600]) {
      const answer = await till.act(payment.id, 'refunds', { amount })
      expect(answer.statusCode, answer.body).toBe(201)
    }

    await expect.poll(async () => (await till.get(payment.id)).refunded_amount, PATIENCE).toBe(1000)
    expect(await till.get(payment.id)).toMatchObject({ captured_amount: 1000, refunded_amount: 1000 })
  })

  test('releases what it holds', async () => {
    const payment = await pay()

    const answer = await till.act(payment.id, 'void')

    expect(answer.statusCode, answer.body).toBe(200)
    await expect.poll(statusOf(payment.id), PATIENCE).toBe('authorization_voided')
  })

  test('declines a card, with a reason in our words and in those of the provider', async () => {
    const payment = await pay(own().declined)

    expect(payment, JSON.stringify(payment)).toMatchObject({
      status: 'authorization_declined',
      error_code: expect.stringMatching(/^[a-z_]+$/),
      raw_response_code: expect.any(String),
    })
  })

  test('captures at once, and a chargeback arrives by its notification', async () => {
    const payment = await pay({ intent: 'capture' })
    await expect.poll(statusOf(payment.id), PATIENCE).toBe('capture_succeeded')
    const reference = payment.payment_service_transaction_id

    await own().dispute({ payment: reference, capture: reference })

    await expect.poll(async () => (await till.get(payment.id)).disputed, PATIENCE).toBe(true)
    const list = (await service.send(`GET /transactions/${payment.id}/chargebacks`)).json()
    expect(list.items).toMatchObject([{ amount: -1000, currency: 'USD' }])
  })
})

describe('after a decline by Adyen', () => {
  const adyen = (code: string) => ({
    connection_options: { 'adyen-card': { additionalData: { RequestedTestAcquirerResponseCode: code } } },
  })
  /** Rules apply to all payments of the account, so this is a rule for one of them. */
  const payByRule = async (more: object, body: object) => {
    const path = '/flows/card-transaction/actions/route-transaction/rules'
    const result = ['adyen-card', 'stripe-card'].map((id) => ({
      payment_service_id: serviceIds[id],
      instrument: 'pan',
    }))
    const outcome = { type: 'card-routing', version: 2, result: [{ ...result[0], ...more }, result[1]] }
    const rule = await service.send(`POST ${path}`, { conditions: [], outcome })
    expect(rule.statusCode, rule.body).toBe(201)
    const payment = await till.pay({ buyer: BUYER, ...body })
    await service.send(`DELETE ${path}/${rule.json().id}`)
    const decision = (await service.send(`GET /transactions/${payment.id}/decision`)).json()
    return { payment, stripe: decision.candidates[1] }
  }

  test('Stripe is asked', async () => {
    const { payment } = await payByRule({}, adyen('2'))

    expect(payment, JSON.stringify(payment)).toMatchObject({
      status: 'authorization_succeeded',
      payment_service: { id: serviceIds['stripe-card'] },
    })
  })

  test('Stripe is not asked if the rule or the scheme says so', async () => {
    const listed = await payByRule({ retry: { not_on: ['issuer_decline', 'other_decline'] } }, adyen('2'))
    const advised = await payByRule(
      {},
      { ...adyen('12'), payment_method: { ...CARD, number: '5555555555554444' } },
    )

    expect(listed.stripe.text).toMatch(/was not tried: the rule does not retry after (issuer|other)_decline/)
    expect(advised.stripe).toMatchObject({ was_asked: false, reason: 'scheme_advice' })
    expect(advised.stripe.text).toContain('says to wait (merchant advice code 02)')
  })

  test('that wants the buyer to be authenticated, Adyen is asked again with 3-D Secure', async () => {
    const { number } = (providers['adyen-card'] as Provider).asking
    const redirect_url = 'https://shop.example.com/back'

    const { payment } = await payByRule(
      {},
      { ...adyen('38'), browser_info: BROWSER, payment_method: { ...CARD, number, redirect_url } },
    )

    expect(payment, JSON.stringify(payment)).toMatchObject({
      status: 'buyer_approval_pending',
      payment_service: { id: serviceIds['adyen-card'] },
      payment_method: { approval_url: expect.any(String) },
    })
  })
})

describe.skipIf(!hasBrowser)('a buyer whose bank asks', () => {
  let browser: Browser
  beforeAll(async () => {
    const shop = createServer((_request, response) => response.end('Thank you')).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    closing.push(async () => shop.close())
    const { port } = shop.address() as AddressInfo
    // Adyen and PayPal leave the buyer in peace unless they are told to ask.
    for (const id of Object.values(serviceIds)) {
      const answer = await service.send(`PUT /payment-services/${id}`, { three_d_secure_enabled: true })
      expect(answer.statusCode, answer.body).toBe(200)
    }
    browser = await launchBrowser({
      [new URL(PUBLIC_URL).host]: new URL(ownOrigin).host,
      'shop.example.com': `127.0.0.1:${port}`,
    })
  })
  afterAll(() => browser.close())

  const ids = ['adyen-card', 'stripe-card', 'paypal-card', 'checkout-card']
  const cases = ids.flatMap((id) => [[id, 'approve'] as const, [id, 'refuse'] as const])

  test.each(cases)(
    'at %s, and who wants to %s, comes back to the shop with the outcome',
    async (id, decision) => {
      const { asking } = providers[id] as Provider
      const redirect_url = 'http://shop.example.com/back?cart=7'
      const payment = await till.pay({
        buyer: BUYER,
        browser_info: BROWSER,
        payment_service_id: serviceIds[id],
        payment_method: { ...CARD, number: asking.number, redirect_url },
      })
      expect(payment, JSON.stringify(payment)).toMatchObject({ status: 'buyer_approval_pending' })
      const page = await browser.newPage()

      await page.goto(payment.payment_method.approval_url)
      await page.getByRole('button', { name: asking[decision], exact: true }).click()
      await page.waitForURL('http://shop.example.com/**', { timeout: 20_000 })

      const back = new URL(page.url()).searchParams
      const status = decision === 'approve' ? 'authorization_succeeded' : /^authorization_(declined|failed)$/
      expect(back.get('cart')).toBe('7')
      expect(back.get('transaction_id')).toBe(payment.id)
      expect(back.get('transaction_status')).toMatch(status)
      expect((await till.get(payment.id)).status).toMatch(status)
      await page.close()
      if (decision === 'approve') await finish(providers[id] as Provider, payment.id)
    },
  )

  /** What is authorized on a page is captured, refunded in part, and disputed like everything else. */
  async function finish({ dispute }: Provider, id: string): Promise<void> {
    const sum = (name: string) => async () => (await till.get(id))[name]
    const captured = await till.act(id, 'capture', {})
    expect(captured.statusCode, captured.body).toBe(200)
    await expect.poll(sum('captured_amount'), PATIENCE).toBe(1000)
    const refunded = await till.act(id, 'refunds', { amount: 300 })
    expect(refunded.statusCode, refunded.body).toBe(201)
    await expect.poll(sum('refunded_amount'), PATIENCE).toBe(300)
    const { payment_service_transaction_id: payment } = await till.get(id)
    const [capture] = (await service.send(`GET /transactions/${id}/captures`)).json().items

    await dispute({ payment, capture: capture.xid })

    await expect.poll(sum('disputed'), PATIENCE).toBe(true)
    const { items } = (await service.send(`GET /transactions/${id}/chargebacks`)).json()
    expect(items).toMatchObject([{ amount: expect.any(Number), currency: 'USD' }])
  }
})

/** Passes requests on to a provider, and loses the answers to those that charge. */
async function openLossyWire(origin: string) {
  let lost = 0
  const wire = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const { url = '/', method = 'GET' } = request
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(method !== 'GET' && { body: Buffer.concat(chunks) }),
    })
    const body = Buffer.from(await answer.arrayBuffer())
    if (method === 'POST' && CHARGES.includes(url)) {
      lost += 1
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(wire, 'listening')
  closing.push(async () => wire.close())
  const { port } = wire.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, lost: () => lost }
}

const CHARGES = ['/payments', '/v71/payments', '/v1/payment_intents', '/v2/checkout/orders']

test.each(['adyen-card', 'stripe-card', 'paypal-card', 'checkout-card'])(
  'a charge at %s whose answer is lost is known by the message about it',
  async (id) => {
    const { fields, ...provider } = providers[id] as Provider
    const wire = await openLossyWire(provider.origin)
    const through = { ...provider, fields: { ...fields, stand_in_url: wire.origin } }
    const payment_service_id = await connect(through)

    const payment = await till.pay({ buyer: BUYER, payment_service_id })

    await expect
      .poll(async () => (await till.get(payment.id)).status, PATIENCE)
      .toBe('authorization_succeeded')
    expect(wire.lost()).toBe(1)
    expect(await till.get(payment.id)).toMatchObject({
      authorized_amount: 1000,
      payment_service_transaction_id: expect.any(String),
    })
  },
)

test('a card that Adyen declines is charged at Stripe', async () => {
  const { declined } = providers['adyen-card'] as Provider
  for (const { id } of (await service.send('GET /payment-services?limit=100')).json().items) {
    const position = id === serviceIds['adyen-card'] ? 1 : id === serviceIds['stripe-card'] ? 2 : null
    await service.send(`PUT /payment-services/${id}`, position === null ? { active: false } : { position })
  }

  const payment = await till.pay({ buyer: BUYER, ...declined })

  expect(payment, JSON.stringify(payment)).toMatchObject({
    status: 'authorization_succeeded',
    payment_service: { payment_service_definition_id: 'stripe-card' },
  })
})
