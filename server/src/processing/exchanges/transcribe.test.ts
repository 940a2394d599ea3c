import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import type { TransactionExchange } from '#resources/transactions/exchanges/schemas.ts'
import { createStandIn as createAdyen } from '#sandbox/stand-ins/adyen/stand-in.ts'
import {
  SECRET_KEY as CHECKOUT_KEY,
  createStandIn as createCheckout,
} from '#sandbox/stand-ins/checkout/stand-in.ts'
import { createStandIn as createPayPal, STAND_IN_CLIENT } from '#sandbox/stand-ins/paypal/stand-in.ts'
import { createStandIn as createStripe, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

/** Through the connectors of real providers, over the network, against their stand-ins. */

const BUYER = {
  billing_details: {
    first_name: 'Canaria',
    last_name: 'Lovelacia',
    email_address: 'canary@example.com',
    phone_number: '+15550109876',
    address: { line1: 'Canary Wharf', city: 'Canaryville', postal_code: 'CANARY', country: 'US' },
  },
}
/** No exchange may hold one of these, in any column. */
const secrets = [
  CARD.number,
  `"${CARD.security_code}"`,
  'Canaria',
  'Lovelacia',
  'canary@example.com',
  '5550109876',
  'Canary',
  'CANARY',
]

let service: TestService
let till: Till
const closing: (() => Promise<unknown>)[] = []
const serviceIds: Record<string, string> = {}

async function connect(id: string, fields: Record<string, string>, name = id): Promise<void> {
  const created = await service.send('POST /payment-services', {
    display_name: name,
    payment_service_definition_id: id,
    fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  expect(created.statusCode, created.body).toBe(201)
  serviceIds[name] = created.json().id
}

beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const adyen = createAdyen({ now: () => new Date(), isAutomatic: true })
  const stripe = createStripe({ now: () => new Date() })
  const paypal = createPayPal({ now: () => new Date() })
  const [atAdyen, atStripe, origin] = [await adyen.listen(0), await stripe.listen(0), await paypal.listen(0)]
  const atCheckout = await createCheckout({ now: () => new Date() }).listen(0)
  closing.push(atAdyen.close, atStripe.close, () => paypal.close(), atCheckout.close)
  const { apiKey, merchantAccount, hmacKey } = adyen.account
  const { id, secret } = STAND_IN_CLIENT
  await connect('adyen-card', {
    api_key: apiKey,
    merchant_account: merchantAccount,
    hmac_key: hmacKey,
    stand_in_url: atAdyen.origin,
  })
  await connect('stripe-card', { secret_key: TEST_KEY, stand_in_url: atStripe.origin })
  await connect('paypal-card', { client_id: id, client_secret: secret, stand_in_url: origin })
  await connect('checkout-card', { secret_key: CHECKOUT_KEY, stand_in_url: atCheckout.origin })
  secrets.push(
    CHECKOUT_KEY,
    apiKey,
    hmacKey,
    TEST_KEY,
    secret,
    Buffer.from(`${id}:${secret}`).toString('base64'),
  )
})
afterAll(async () => {
  for (const close of closing) await close()
  await service.close()
})

async function exchangesOf(id: string): Promise<TransactionExchange[]> {
  const response = await service.send(`GET /transactions/${id}/exchanges`)
  expect(response.statusCode, response.body).toBe(200)
  expect(service.troubles).toEqual([])
  return response.json().items.reverse()
}

/** As the rows are, whatever the answer leaves out. */
async function expectNoSecrets(): Promise<void> {
  await service.engine.exchanges.flush()
  const rows = await service.database.db.selectFrom('exchanges').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  const text = JSON.stringify(rows)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(text).not.toMatch(/pm_[A-Za-z0-9]{6}|"access_token":"(?!\*\*\*)/)
}

const linesOf = (exchanges: readonly TransactionExchange[]) =>
  exchanges.map(({ operation, purpose, request, response }) =>
    [operation, purpose, request.method, new URL(request.url).pathname, response?.status_code].join(' '),
  )

/** Ids of providers and of ours differ from run to run. */
const withoutIds = (lines: readonly string[]) =>
  lines.map((line) => line.replaceAll(/(?<=\/)(?=[\w-]*[\dA-Z])[\w-]{10,}/g, '…'))

describe.each([
  {
    id: 'adyen-card',
    declined: {
      connection_options: { 'adyen-card': { additionalData: { RequestedTestAcquirerResponseCode: '2' } } },
    },
    // Without notifications, the outcome of a capture is not known, so there is nothing to refund.
    lines: ['authorize request POST /v71/payments 200', 'capture request POST /v71/payments/…/captures 201'],
    first: { amount: { value: 1000, currency: 'USD' }, paymentMethod: { number: '*** (16 characters)' } },
    refusal: { resultCode: 'Refused', refusalReasonCode: expect.any(String) },
  },
  {
    id: 'stripe-card',
    declined: { payment_method: { ...CARD, number: '4000000000000002' } },
    lines: [
      'authorize request POST /v1/payment_methods 200',
      'authorize request POST /v1/payment_intents 200',
      'capture request POST /v1/payment_intents/…/capture 200',
      'refund request POST /v1/refunds 200',
    ],
    first: { type: 'card', 'card[number]': '*** (16 characters)', 'card[cvc]': '*** (3 characters)' },
    refusal: {
      error: { code: 'card_declined', type: 'card_error', message: expect.stringMatching(/^Your card/) },
    },
  },
  {
    id: 'paypal-card',
    declined: { buyer: { billing_details: { first_name: 'CCREJECT-REFUSED' } } },
    lines: [
      'authorize request POST /v1/oauth2/token 200',
      'authorize request POST /v2/checkout/orders 201',
      'capture request POST /v2/payments/authorizations/…/capture 201',
      'refund request POST /v2/payments/captures/…/refund 201',
    ],
    first: { intent: 'AUTHORIZE', purchase_units: [{ amount: { value: '10.00', currency_code: 'USD' } }] },
    refusal: { status: expect.any(String), purchase_units: expect.anything() },
  },
  {
    id: 'checkout-card',
    declined: { payment_method: { ...CARD, number: '4544249167673670' } },
    // Without notifications, the outcome of a capture is not known.
    lines: ['authorize request POST /payments 201', 'capture request POST /payments/…/captures 202'],
    first: { amount: 1000, source: { type: 'card', number: '*** (16 characters)' } },
    refusal: { status: 'Declined', response_code: '20051' },
  },
])('$id', ({ id, declined, lines, first, refusal }) => {
  const pay = (body: object = {}) =>
    till.pay({ buyer: BUYER, ...body, payment_service_id: serviceIds[id] ?? '' })

  test('shows what was asked for a payment, and no secret', async () => {
    const payment = await pay()
    expect(payment.status, JSON.stringify(payment)).toBe('authorization_succeeded')
    const captured = await till.act(payment.id, 'capture', {})
    expect(captured.statusCode, captured.body).toBe(200)
    if (lines.length > 2) {
      expect((await till.act(payment.id, 'refunds', { amount: 400 })).statusCode).toBe(201)
    }

    expect(withoutIds(linesOf(await exchangesOf(payment.id)))).toEqual(lines)
    await expectNoSecrets()
  })

  test('shows the fields that the connector allows', async () => {
    const payment = await pay(declined)
    expect(payment.status, JSON.stringify(payment)).toBe('authorization_declined')
    const exchanges = await exchangesOf(payment.id)

    expect(exchanges.at(-1)).toMatchObject({
      type: 'transaction-exchange',
      transaction_id: payment.id,
      operation: 'authorize',
      purpose: 'request',
      service_type: 'payment-service',
      service_id: serviceIds[id],
      service_definition_id: id,
      outcome: 'answered',
      reason: null,
      request_id: expect.any(String),
      duration_ms: expect.any(Number),
      response: { body: { kind: 'json', content: refusal } },
    })
    expect(exchanges.at(-1)?.idempotency_key).toBe(exchanges.at(-1)?.attempt_id)
    expect(exchanges[0]?.request.body?.content).toMatchObject(first)
    await expectNoSecrets()
  })

  test('shows an authorization that is released', async () => {
    const payment = await pay()

    expect((await till.act(payment.id, 'void')).statusCode).toBe(200)

    expect((await exchangesOf(payment.id)).at(-1)).toMatchObject({ operation: 'void', outcome: 'answered' })
    await expectNoSecrets()
  })
})

describe('a provider that does not answer as it should', () => {
  let answer: (response: ServerResponse) => void
  beforeAll(async () => {
    const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    closing.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    await connect('stripe-card', { secret_key: TEST_KEY, stand_in_url: `http://127.0.0.1:${port}` }, 'broken')
    const { id: client_id, secret: client_secret } = STAND_IN_CLIENT
    const slow = { client_id, client_secret, stand_in_url: `http://127.0.0.1:${port}` }
    await connect('paypal-card', slow, 'slow')
    const unused = createServer().listen(0, '127.0.0.1')
    await once(unused, 'listening')
    const stand_in_url = `http://127.0.0.1:${(unused.address() as AddressInfo).port}`
    unused.close()
    await once(unused, 'close')
    await connect('stripe-card', { secret_key: TEST_KEY, stand_in_url }, 'absent')
  })
  beforeEach(() => {
    answer = (response) => response.writeHead(500).end()
  })

  const firstOf = async (payment: { readonly id: string }) => (await exchangesOf(payment.id))[0]
  const pay = (name = 'broken') => till.pay({ buyer: BUYER, payment_service_id: serviceIds[name] })
  const big = `{"status":"${'x'.repeat(100_000)}"}`

  test.each<[string, (response: ServerResponse) => void, object]>([
    [
      'no body',
      (response) => response.end(),
      { outcome: 'answered', response: { status_code: 200, body: null } },
    ],
    [
      'a page',
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end(`<p>${CARD.number}</p>`),
      {
        outcome: 'answered',
        response: { status_code: 502, body: { kind: 'other', size: 23, content: null } },
      },
    ],
    [
      'cut JSON',
      (response) => response.end(`{"message":"${CARD.number}`),
      { outcome: 'answered', response: { body: { kind: 'other', content: null } } },
    ],
    [
      'a long body',
      (response) => response.end(big),
      { outcome: 'answered', response: { body: { kind: 'json', size: big.length, content: null } } },
    ],
    [
      'hostile values',
      (response) =>
        response.end(
          JSON.stringify({
            message: `<script>${CARD.number}</script> ${TEST_KEY}`,
            code: TEST_KEY,
            status: '\u0000\ud800',
            [CARD.number]: CARD.number,
            id: `pm_${CARD.number}`,
          }),
        ),
      {
        outcome: 'answered',
        response: {
          body: {
            content: {
              message: '<script>***</script> ***',
              code: '***',
              status: '\ufffd\ufffd',
              id: '*** (19 characters)',
            },
          },
        },
      },
    ],
    [
      'an answer that ends early',
      (response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"id"', () => response.destroy())
      },
      { outcome: 'answer_cut', response: { status_code: 200, body: null } },
    ],
    ['an end', (response) => response.destroy(), { outcome: 'no_answer', reason: null, response: null }],
    [
      'another address',
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      { outcome: 'answer_refused', reason: null, response: null },
    ],
    [
      'a megabyte too much',
      (response) => response.end(' '.repeat(1024 * 1024 + 1)),
      { outcome: 'answer_refused', response: { status_code: 200, body: null } },
    ],
  ])('but with %s', async (_name, act, expected) => {
    answer = act

    const payment = await pay()

    expect(payment.status).toMatch(/^(authorization_failed|processing)$/)
    expect(await firstOf(payment)).toMatchObject(expected)
    await expectNoSecrets()
  })

  test('in time', async () => {
    answer = () => {}
    const { timeoutMs } = service.providers
    Object.assign(service.providers, { timeoutMs: 100 })

    const payment = await pay('slow').finally(() => Object.assign(service.providers, { timeoutMs }))

    expect(await firstOf(payment)).toMatchObject({ outcome: 'timed_out', reason: null, response: null })
  })

  test('because it is not there', async () => {
    const payment = await pay('absent')

    expect(await firstOf(payment)).toMatchObject({
      outcome: 'no_connection',
      reason: 'connection_refused',
      response: null,
    })
  })
})

test('an inquiry that lists other payments shows nothing of them', async () => {
  const other = await till.pay({ buyer: BUYER, payment_service_id: serviceIds['stripe-card'] })
  const { fetch } = service.providers
  Object.assign(service.providers, {
    fetch: async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/v1/payment_intents')) return response
      await readWhole(response)
      throw new TypeError('the answer was lost')
    },
  })
  const lost = await till
    .pay({ buyer: BUYER, payment_service_id: serviceIds['stripe-card'] })
    .finally(() => Object.assign(service.providers, { fetch }))
  expect(lost.status).toBe('processing')

  service.moveClock(61_000)
  await service.resolveDue()

  expect((await till.get(lost.id)).status).toBe('authorization_succeeded')
  const inquiry = (await exchangesOf(lost.id)).at(-1)
  expect(inquiry).toMatchObject({ purpose: 'inquiry', operation: 'authorize', request_id: null })
  expect(inquiry?.request.url).toMatch(/\/v1\/payment_intents\?created/)
  expect(JSON.stringify(inquiry)).not.toContain(other.payment_service_transaction_id)
  expect(await exchangesOf(lost.id)).toContainEqual(expect.objectContaining({ outcome: 'no_answer' }))
  await expectNoSecrets()
})
