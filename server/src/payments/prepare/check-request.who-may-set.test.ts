import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { MISSING } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { WHO_MAY_SET } from './check-request.ts'

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }
/** The issuer asks the cardholder of this card. */
const CHALLENGED = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com/back' }
const PAYMENT = { amount: 1299, currency: 'USD', payment_method: CARD }
const ITEM = { name: 'Canvas bag', quantity: 1, unit_amount: 1299 }
const PROOF = {
  cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
  eci: '05',
  version: '2.2.0',
  directory_response: 'Y',
  directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
}

type Field = keyof typeof WHO_MAY_SET
type Sample = {
  /** The value that a page sends. `beside` holds the fields that must go with it. */
  readonly page: unknown
  readonly beside?: object
  /** Another value, for the session. */
  readonly session?: unknown
}

/** A value for each field. */
const SAMPLES: Readonly<Record<Field, Sample>> = {
  amount: { page: 1, session: 1299 },
  currency: { page: 'EUR', session: 'USD' },
  country: { page: 'DE', session: 'US' },
  payment_method: { page: { ...CARD, number: '5555555555554444' } },
  gift_cards: { page: [{ number: '4123455541234561234', pin: '01000', amount: 1 }] },
  external_identifier: { page: 'order-9999' },
  intent: { page: 'capture', session: 'authorize' },
  payment_source: { page: 'moto', session: 'ecommerce' },
  merchant_initiated: {
    page: true,
    beside: { payment_source: 'card_on_file', is_subsequent_payment: true },
    session: false,
  },
  is_subsequent_payment: { page: true, session: false },
  store: { page: true },
  async_capture: { page: true, beside: { intent: 'capture' } },
  account_funding_transaction: { page: true },
  allow_partial_authorization: { page: true },
  buyer: {
    page: { external_identifier: 'customer-2', display_name: 'Mallory' },
    session: { external_identifier: 'customer-1', display_name: 'Alice' },
  },
  buyer_id: { page: MISSING },
  buyer_external_identifier: { page: 'customer-2' },
  shipping_details_id: { page: MISSING },
  metadata: { page: { order: '9999' }, session: { order: '4711' } },
  description: { page: 'A bag' },
  cart_items: { page: [{ ...ITEM, name: 'Gold' }], session: [ITEM] },
  airline: { page: { booking_code: 'BBBBBB' }, session: { booking_code: 'AAAAAA' } },
  statement_descriptor: { page: { name: 'Canvas and Co' } },
  recipient: { page: { first_name: 'Bob', last_name: 'Doe' } },
  browser_info: {
    page: {
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
    },
  },
  installment_count: { page: 3 },
  tax_amount: { page: 99 },
  amount_includes_tax: { page: true },
  merchant_tax_id: { page: '12345' },
  purchase_order_number: { page: 'PO-1' },
  customer_reference_number: { page: 'C-1' },
  supplier_order_number: { page: 'S-1' },
  duty_amount: { page: 1 },
  shipping_amount: { page: 1 },
  payment_service_id: { page: MISSING, session: 'the first service' },
  connection_options: { page: { 'stripe-card': { stripe_connect: { application_fee_amount: 0 } } } },
  three_d_secure: { page: { amount: 1 } },
  three_d_secure_data: { page: PROOF },
  previous_scheme_transaction_id: { page: '123456789012345' },
  previous_transaction_link_id: { page: 'link-1' },
  anti_fraud_fingerprint: { page: 'fp' },
  integration_client: { page: 'web' },
  approval_expires_at: { page: '2027-01-01T00:00:00Z' },
}

/** The answer to a page's value if neither token nor session sets the field. All others are accepted. */
const REFUSED: Partial<Readonly<Record<Field, string>>> = {
  payment_source: '/payment_source',
  merchant_initiated: '/merchant_initiated',
  account_funding_transaction: '/account_funding_transaction',
  allow_partial_authorization: '/allow_partial_authorization',
  buyer_id: '/buyer_id',
  buyer_external_identifier: '/buyer_external_identifier',
  shipping_details_id: '/shipping_details_id',
  payment_service_id: '/payment_service_id',
  connection_options: '/connection_options/stripe-card/stripe_connect',
  three_d_secure: '/three_d_secure/amount',
  three_d_secure_data: '/three_d_secure_data',
  previous_scheme_transaction_id: '/previous_scheme_transaction_id',
  previous_transaction_link_id: '/previous_transaction_link_id',
}

let service: TestService
let firstServiceId: string
beforeAll(async () => {
  service = await startTestService()
  firstServiceId = (await service.send('GET /payment-services')).json().items[0].id
})
afterAll(() => service.close())

const FIELDS = Object.keys(TransactionCreate.properties) as Field[]
const OF_SESSION = FIELDS.filter((name) => WHO_MAY_SET[name]?.session)

const pay = (body: object, token: string, account?: string) =>
  service.send('POST /transactions', { ...PAYMENT, ...body }, { token, ...(account && { account }) })
const page = (claims: object = {}) => signToken(service.admin, { scopes: ['embed'], ...claims })

async function openSession(order: object): Promise<{ readonly id: string; readonly token: string }> {
  const response = await service.send('POST /checkout/sessions', order)
  expect(response.statusCode, response.body).toBe(201)
  const { id } = response.json()
  return { id, token: await page({ checkout_session_id: id }) }
}

function ofSession(name: Field): unknown {
  return name === 'payment_service_id' ? firstServiceId : SAMPLES[name].session
}

test('the table has every field of the request, and no other', () => {
  expect(new Set(Object.keys(WHO_MAY_SET))).toEqual(new Set(FIELDS))
})

test('the table has every field of a payment that a checkout session can set', async () => {
  const { id } = await openSession({})
  const session = (await service.send(`GET /checkout/sessions/${id}`)).json()

  const shared = FIELDS.filter((name) => name in session && name !== 'payment_method')

  expect(shared.filter((name) => !WHO_MAY_SET[name].session)).toEqual([])
  expect(OF_SESSION).toEqual(expect.arrayContaining(['amount', 'currency', 'country', 'buyer', 'intent']))
})

describe('a page cannot contradict its checkout session in', () => {
  test.each(OF_SESSION)('%s', async (name) => {
    const { page: said, beside } = SAMPLES[name]
    const { token } = await openSession({ [name]: ofSession(name) })

    const response = await pay({ ...beside, [name]: said }, token)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toContainEqual({
      location: 'body',
      pointer: `/${name}`,
      type: 'value_error.conflict',
      message: 'leave it out, or send the checkout session’s value',
    })
  })
})

describe('a page can repeat its checkout session’s value of', () => {
  test.each(OF_SESSION)('%s', async (name) => {
    const { token } = await openSession({ [name]: ofSession(name) })

    const response = await pay({ [name]: ofSession(name) }, token)

    expect(response.statusCode, response.body).toBe(201)
  })

  test('fields that only the shop’s server may set', async () => {
    const { token } = await openSession({ payment_source: 'moto', payment_service_id: firstServiceId })

    const response = await pay(
      { payment_source: 'moto', payment_service_id: firstServiceId.toUpperCase() },
      token,
    )

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ payment_source: 'moto', payment_service: { id: firstServiceId } })
  })
})

describe('if neither token nor session sets a field, a page', () => {
  test.each(FIELDS)('is answered as the table says: %s', async (name) => {
    const { page: said, beside } = SAMPLES[name]
    const { words, refused } = WHO_MAY_SET[name].page

    const response = await pay({ ...beside, [name]: said }, await page())

    const pointers = response.json().details?.map(({ pointer }: { pointer: string }) => pointer)
    const expected = REFUSED[name]
    if (expected === undefined) expect(response.statusCode, response.body).toBe(201)
    else expect(pointers).toEqual([expected])
    const isLookedUp = words === 'its own buyer’s'
    const below = refused(said, { ...PAYMENT, [name]: said } as TransactionCreate)
    expect(below.map((rest) => `/${name}${rest}`)).toEqual(isLookedUp || !expected ? [] : [expected])
  })

  test('may use the options of a service that decide nothing', async () => {
    const options = { 'mock-card': { skip_retry: true } }

    const response = await pay({ connection_options: options }, await page())

    expect(response.statusCode, response.body).toBe(201)
  })

  test('can send what its token pins', async () => {
    const options = SAMPLES.connection_options.page
    const token = await page({ embed: { connection_options: options } })

    const response = await pay({ connection_options: options }, token)

    expect(response.statusCode, response.body).toBe(201)
  })
})

test.each([
  ['country', 'US', 'DE'],
  ['intent', 'authorize', 'capture'],
  ['external_identifier', 'order-4711', 'order-9999'],
])('a token pins %s', async (name, pinned, other) => {
  const token = await page({ embed: { [name]: pinned } })

  const against = await pay({ [name]: other }, token)
  const without = await pay({}, token)

  expect(against.json().details).toMatchObject([{ pointer: `/${name}`, type: 'value_error.conflict' }])
  expect(without.json()).toMatchObject({ [name]: pinned })
})

test('all contradictions of a page to its session are reported at once', async () => {
  const { token } = await openSession({ amount: 1299, country: 'US', metadata: { order: '4711' } })

  const response = await pay(
    { amount: 1, country: 'DE', metadata: { order: '9999' }, allow_partial_authorization: true },
    token,
  )

  expect(response.json().details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/amount',
    '/country',
    '/allow_partial_authorization',
    '/metadata',
  ])
})

test('a server may contradict its own session', async () => {
  const { id } = await openSession({ amount: 1299, country: 'US' })
  await service.send(`PUT /checkout/sessions/${id}/fields`, { payment_method: CARD }, { token: null })

  const response = await service.send('POST /transactions', {
    amount: 500,
    currency: 'USD',
    country: 'DE',
    allow_partial_authorization: true,
    payment_method: { method: 'checkout-session', id },
  })

  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toMatchObject({ amount: 500, country: 'DE' })
})

async function send(route: string, body: object, options = {}) {
  const response = await service.send(route, body, options)
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.statusCode === 204 ? undefined : response.json()
}

async function storedCard(buyer: string, reference: string): Promise<{ readonly id: string }> {
  await service.send('POST /buyers', { external_identifier: buyer })
  return send('POST /payment-methods', {
    ...CARD,
    buyer_external_identifier: buyer,
    external_identifier: reference,
  })
}

test('a page pays only what its checkout session says', async () => {
  const session = await send('POST /checkout/sessions', { amount: 1299, currency: 'USD' })
  const token = await page({ checkout_session_id: session.id })

  const less = await pay({ amount: 1 }, token)
  const other = await pay({ currency: 'JPY' }, token)
  const right = await pay({}, token)

  expect(less.json().details).toMatchObject([{ pointer: '/amount' }])
  expect(other.json().details).toMatchObject([{ pointer: '/currency' }])
  expect(right.statusCode, right.body).toBe(201)
})

test('a page cannot get a partial authorization', async () => {
  const token = await page({ embed: { amount: 600001, currency: 'USD' } })
  const body = { amount: 600001, intent: 'capture' }

  const part = await pay({ ...body, allow_partial_authorization: true }, token)
  const whole = await pay({ ...body, allow_partial_authorization: false }, token)

  expect(part.json().details).toMatchObject([{ pointer: '/allow_partial_authorization' }])
  expect(whole.json()).toMatchObject({ status: 'authorization_declined' })
})

test('a page cannot go around 3-D Secure by naming a country whose service has none', async () => {
  await send('POST /merchant-accounts', { id: 'two-countries', display_name: 'Two countries' })
  const common = { payment_service_definition_id: 'mock-card', accepted_currencies: ['USD'] }
  const fields = [{ key: 'merchant_id', value: 'merchant-1' }]
  for (const [country, isSecure] of [
    ['US', true],
    ['DE', false],
  ] as const) {
    await send(
      'POST /payment-services',
      {
        ...common,
        display_name: country,
        fields,
        accepted_countries: [country],
        three_d_secure_enabled: isSecure,
      },
      { account: 'two-countries' },
    )
  }
  const order = { amount: 1299, currency: 'USD', country: 'US' }
  const session = await send('POST /checkout/sessions', order, { account: 'two-countries' })
  const token = await page({ checkout_session_id: session.id })

  const around = await pay({ country: 'DE', payment_method: CHALLENGED }, token, 'two-countries')
  const through = await pay({ payment_method: CHALLENGED }, token, 'two-countries')

  expect(around.json().details).toMatchObject([{ pointer: '/country', type: 'value_error.conflict' }])
  expect(through.json()).toMatchObject({ status: 'buyer_approval_pending', country: 'US' })
})

describe('a token that pins a buyer', () => {
  test.each([
    ['by its reference', async () => ({ buyer_external_identifier: 'buyer-a' })],
    [
      'by its id',
      async () => {
        const found = await service.send('GET /buyers?external_identifier=buyer-a')
        return { buyer_id: found.json().items[0].id }
      },
    ],
  ])('%s cannot pay with the session of another one', async (_how, pin) => {
    for (const buyer of ['buyer-a', 'buyer-b']) {
      await service.send('POST /buyers', { external_identifier: buyer })
    }
    const open = async (buyer: object) => {
      const session = await send('POST /checkout/sessions', buyer)
      await send(`PUT /checkout/sessions/${session.id}/fields`, { payment_method: CARD }, { token: null })
      return { payment_method: { method: 'checkout-session', id: session.id } }
    }
    const others = await open({ buyer: { external_identifier: 'buyer-b' } })
    const own = await open({ buyer: { external_identifier: 'buyer-a' } })
    const noOnes = await open({})
    const embed = await pin()
    const token = await page({ embed })
    const linked = await page({ embed, checkout_session_id: others.payment_method.id })

    const refused = await pay(others, token)
    const contradicting = await pay(others, linked)

    expect(refused.json().details).toMatchObject([
      { pointer: '/payment_method/id', type: 'value_error.not_found' },
    ])
    expect(contradicting.json().details).toMatchObject([{ pointer: '/checkout_session_id' }])
    expect((await pay(own, token)).statusCode).toBe(201)
    expect((await pay(noOnes, token)).statusCode).toBe(201)
  })

  test('is not told the id of another buyer’s card', async () => {
    const others = await storedCard('owner', 'the-card')
    const own = await storedCard('buyer-c', 'own-card')
    const token = await page({ embed: { buyer_external_identifier: 'buyer-c' } })
    const keep = (reference: string) => ({
      store: true,
      payment_method: { ...CARD, external_identifier: reference },
    })

    const told = await pay(keep('the-card'), token)
    const toldOfOwn = await pay(keep('own-card'), token)
    const server = await service.send('POST /transactions', { ...PAYMENT, ...keep('the-card') })

    expect(told.statusCode).toBe(409)
    expect(told.json()).toMatchObject({ code: 'duplicate_record', resource_id: null })
    expect(toldOfOwn.json()).toMatchObject({ resource_id: own.id })
    expect(server.json()).toMatchObject({ resource_id: others.id })
  })
})
