import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { mockCard } from '#sandbox/connectors/mock-card/connector.ts'
import { MISSING, pointers } from '#testing/answers.ts'
import { type SendOptions, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'

const CART = [{ name: 'Canvas bag', quantity: 1, unit_amount: 1299 }]

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
afterEach(() => vi.restoreAllMocks())

const pay = (body?: object, options?: SendOptions) => order(service, body, options)
const addBuyer = async (body: object = {}) =>
  (await service.send('POST /buyers', { display_name: 'Ada', ...body })).json()
const store = async (card: object = {}) =>
  (await service.send('POST /payment-methods', { ...CARD, ...card })).json().id
const rowOf = async (id: string) => {
  const { rows } = await service.database.pool.query(
    'select * from transactions join transaction_documents using (merchant_account_id, id) where id = $1',
    [id],
  )
  return rows[0]
}

describe('a browser token', () => {
  const tokenFor = (embed: object, claims: object = {}) =>
    signToken(service.admin, { scopes: ['embed'], embed, ...claims })

  test('fills in what it pins', async () => {
    const buyer = await addBuyer()
    const pinned = {
      amount: 2500,
      currency: 'EUR',
      buyer_id: buyer.id,
      metadata: { order: '7' },
      cart_items: CART,
    }
    const token = await tokenFor(pinned)

    const response = await service.send('POST /transactions', { payment_method: CARD }, { token })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      amount: 2500,
      currency: 'EUR',
      buyer: { id: buyer.id },
      metadata: { order: '7' },
      cart_items: CART,
    })
  })

  test('takes an amount that was written as text', async () => {
    const token = await tokenFor({ amount: '2500', currency: 'EUR' })

    const response = await service.send('POST /transactions', { payment_method: CARD }, { token })

    expect(response.json()).toMatchObject({ amount: 2500 })
  })

  test('cannot be contradicted', async () => {
    const [buyer, other] = [await addBuyer(), await addBuyer()]
    const token = await tokenFor({
      amount: 2500,
      currency: 'EUR',
      buyer_id: buyer.id,
      metadata: { order: '7' },
      cart_items: CART,
      connection_options: { 'mock-card': { skip_retry: true } },
    })

    const same = await pay({ amount: 2500, currency: 'EUR', metadata: { order: '7' } }, { token })
    const response = await pay(
      {
        amount: 1,
        currency: 'USD',
        buyer_id: other.id,
        metadata: { order: '8' },
        cart_items: [],
        connection_options: {},
      },
      { token },
    )

    expect(same.statusCode, same.body).toBe(201)
    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual(
      ['amount', 'currency', 'buyer_id', 'metadata', 'cart_items', 'connection_options'].map((name) => [
        `/${name}`,
        'value_error.conflict',
      ]),
    )
  })

  test('pays with the stored cards of its own buyer, and no others', async () => {
    const buyer = await addBuyer({ external_identifier: 'pinned' })
    const own = await store({ buyer_id: buyer.id })
    const others = [await store({ buyer_id: (await addBuyer()).id }), await store()]
    const tokens = [
      await tokenFor({ buyer_id: buyer.id }),
      await tokenFor({ buyer_external_identifier: 'pinned' }),
    ]

    for (const token of tokens) {
      const paid = await pay({ payment_method: { method: 'id', id: own } }, { token })
      expect(paid.json()).toMatchObject({ status: 'authorization_succeeded', buyer: { id: buyer.id } })
      for (const id of others) {
        const refused = await pay({ payment_method: { method: 'id', id } }, { token })
        expect(refused.statusCode).toBe(400)
        expect(pointers(refused)).toEqual([['/payment_method/id', 'value_error.not_found']])
      }
    }
  })

  test('pays with its own buyer’s stored cards in a checkout session, too', async () => {
    const [buyer, other] = [await addBuyer({ external_identifier: 'in-session' }), await addBuyer()]
    const stored = { method: 'id', id: await store({ buyer_id: buyer.id }) }
    const session = async () =>
      enter(await newSession({ buyer: { external_identifier: 'in-session' } }), stored)

    const paid = await pay(await session(), { token: await tokenFor({ buyer_id: buyer.id }) })
    const refused = await pay(await session(), { token: await tokenFor({ buyer_id: other.id }) })

    expect(paid.json()).toMatchObject({ status: 'authorization_succeeded' })
    expect(pointers(refused)).toEqual([['/payment_method/id', 'value_error.not_found']])
  })

  test('ties its payments to the session that it names', async () => {
    const session = await newSession({ metadata: { order: '9' }, cart_items: CART })
    const token = await tokenFor({}, { checkout_session_id: session })

    const response = await pay({}, { token })

    expect(response.json()).toMatchObject({
      checkout_session_id: session,
      metadata: { order: '9' },
      cart_items: CART,
    })
  })

  test('pays no other session', async () => {
    const session = await newSession({})
    const token = await tokenFor({}, { checkout_session_id: session })

    const response = await pay(await sessionWith(CARD), { token })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.conflict']])
  })

  test.each([MISSING, '------------------------------------', 'session'])(
    'of the session %s, which is not there, pays nothing',
    async (checkout_session_id) => {
      const token = await tokenFor({}, { checkout_session_id })

      const response = await pay({}, { token })

      expect(response.statusCode).toBe(400)
      expect(pointers(response)).toEqual([['/checkout_session_id', 'value_error.not_found']])
    },
  )

  test('records the buyer’s IP address with the payment; a server’s is not recorded', async () => {
    const token = await tokenFor({})

    const fromBrowser = (await pay({}, { token, address: '203.0.113.7' })).json()
    const fromServer = (await pay({}, { address: '203.0.113.8' })).json()

    expect((await rowOf(fromBrowser.id)).ip_address).toBe('203.0.113.7')
    expect((await rowOf(fromServer.id)).ip_address).toBeNull()
  })

  test('may make fifty payments a minute', async () => {
    const token = await tokenFor({})
    const answers = []
    for (let count = 0; count < 51; count += 1) answers.push(await pay({ amount: -1 }, { token }))

    const last = answers.pop()

    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
    expect(last?.statusCode).toBe(429)
    expect(last?.headers['retry-after']).toBeDefined()
    expect((await pay({}, { token: await tokenFor({}) })).statusCode).toBe(201)
  })
})

describe('a checkout session fills gaps of the request:', () => {
  const buyer = {
    display_name: 'Ada',
    billing_details: { first_name: 'Ada', address: { city: 'London', postal_code: '10077' } },
    shipping_details: { first_name: 'Charles' },
  }
  const airline = { booking_code: 'X36Q9C' }

  test('cart, notes, buyer and booking', async () => {
    const session = await newSession({ cart_items: CART, metadata: { order: '7' }, buyer, airline })

    const response = await pay(await enter(session, CARD))

    expect(response.json()).toMatchObject({
      checkout_session_id: session,
      cart_items: CART,
      metadata: { order: '7' },
      buyer: { id: null, display_name: 'Ada', billing_details: { first_name: 'Ada' } },
      shipping_details: { first_name: 'Charles' },
      airline,
      avs_response_code: 'no_match',
    })
  })

  test('but values of the request come first', async () => {
    const session = await newSession({ cart_items: CART, metadata: { order: '7' }, buyer, airline })
    const said = {
      cart_items: [{ name: 'Hat', quantity: 2, unit_amount: 5 }],
      metadata: { order: '8' },
      buyer: { display_name: 'Bob' },
      airline: { booking_code: 'OTHER' },
    }

    const response = await pay({ ...(await enter(session, CARD)), ...said })

    expect(response.json()).toMatchObject(said)
    expect(response.json()).toMatchObject({ shipping_details: null, avs_response_code: null })
  })

  test('the postal code that was entered with the card is checked', async () => {
    const alone = await pay(await enter(await newSession({}), CARD, { postal_code: '10088' }))
    const typed = await pay(await enter(await newSession({ buyer }), CARD, { postal_code: '10099' }))

    expect(alone.json()).toMatchObject({
      avs_response_code: 'partial_match_postcode',
      buyer: { id: null, display_name: null, billing_details: { address: { postal_code: '10088' } } },
    })
    expect(typed.json()).toMatchObject({
      avs_response_code: 'partial_match_address',
      buyer: { display_name: 'Ada', billing_details: { address: { city: 'London', postal_code: '10099' } } },
    })
  })

  const HOW = {
    intent: 'capture',
    payment_source: 'card_on_file',
    merchant_initiated: true,
    is_subsequent_payment: true,
  }

  test('country, intent and source', async () => {
    const session = await newSession({ ...HOW, country: 'NL' })

    const response = await pay(await enter(session, CARD))

    expect(response.json()).toMatchObject({ ...HOW, country: 'NL', status: 'capture_succeeded' })
  })

  test('but a default that the request sends comes first', async () => {
    const session = await newSession({ ...HOW, country: 'NL' })
    const said = {
      intent: 'authorize',
      payment_source: 'ecommerce',
      merchant_initiated: false,
      is_subsequent_payment: false,
      country: 'US',
    }

    const response = await pay({ ...(await enter(session, CARD)), ...said })

    expect(response.json()).toMatchObject({ ...said, status: 'authorization_succeeded' })
  })

  test.each<[object, object, string]>([
    [{ merchant_initiated: true }, {}, '/is_subsequent_payment'],
    [{ payment_source: 'recurring' }, {}, '/store'],
    [{ payment_source: 'recurring' }, { merchant_initiated: true }, '/is_subsequent_payment'],
    [{ intent: 'capture' }, { amount: 0 }, '/amount'],
    [{}, { async_capture: true }, '/async_capture'],
  ])('and both together have to make sense: %j, %j', async (inSession, said, pointer) => {
    const session = await newSession(inSession)

    const response = await pay({ ...(await enter(session, CARD)), ...said })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual([[pointer, expect.any(String)]])
  })

  test('also for a page, which could not send moto itself', async () => {
    const session = await newSession({ payment_source: 'moto', intent: 'capture', country: 'NL' })
    const token = await signToken(service.admin, { scopes: ['embed'], checkout_session_id: session })

    const against = await pay({ payment_source: 'ecommerce' }, { token })
    const response = await pay({}, { token })

    expect(pointers(against)).toEqual([['/payment_source', 'value_error.conflict']])
    expect(response.json()).toMatchObject({
      payment_source: 'moto',
      intent: 'capture',
      country: 'NL',
      status: 'capture_succeeded',
    })
  })

  test('the country of a redirect', async () => {
    const session = await newSession({ country: 'DE' })
    const token = await signToken(service.admin, { scopes: ['embed'], checkout_session_id: session })
    const ideal = {
      method: 'ideal',
      country: 'NL',
      currency: 'EUR',
      redirect_url: 'https://shop.example.com',
    }

    const response = await pay({ currency: 'EUR', payment_method: ideal }, { token })

    expect(pointers(response)).toEqual([['/payment_method/country', 'value_error.conflict']])
  })

  test('the payment service', async () => {
    const { id } = (
      await service.send('POST /payment-services', {
        display_name: 'For sessions',
        payment_service_definition_id: 'mock-card',
        fields: [{ key: 'merchant_id', value: 'sessions' }],
        accepted_currencies: ['USD'],
        accepted_countries: ['US'],
      })
    ).json()
    const session = await newSession({ payment_service_id: id })

    expect((await pay(await enter(session, CARD))).json().payment_service.id).toBe(id)
  })
})

describe('a series of payments', () => {
  const asked = () => {
    const spy = vi.spyOn(mockCard, 'authorize')
    return () => spy.mock.calls.map(([order]) => order)
  }

  test('refers to the first one, which the buyer made', async () => {
    const first = (await pay({ payment_source: 'recurring', store: true })).json()
    const { id } = first.payment_method
    const orders = asked()

    const later = { payment_source: 'recurring', merchant_initiated: true, is_subsequent_payment: true }
    const second = (await pay({ ...later, payment_method: { method: 'id', id } })).json()
    const third = (await pay({ ...later, payment_method: { method: 'id', id } })).json()

    expect([second.status, third.status]).toEqual(['authorization_succeeded', 'authorization_succeeded'])
    expect(orders()).toMatchObject(
      Array(2).fill({
        paymentSource: 'recurring',
        isMerchantInitiated: true,
        isSubsequentPayment: true,
        previousSchemeTransactionId: first.scheme_transaction_id,
      }),
    )
    expect((await service.send(`GET /payment-methods/${id}`)).json()).toMatchObject({
      scheme_transaction_id: first.scheme_transaction_id,
      scheme_transaction_id_scheme: 'visa',
    })
  })

  test('refers to the payment that the merchant names, if any', async () => {
    const { payment_method } = (await pay({ payment_source: 'card_on_file', store: true })).json()
    const orders = asked()

    await pay({
      payment_source: 'card_on_file',
      merchant_initiated: true,
      is_subsequent_payment: true,
      payment_method: { method: 'id', id: payment_method.id },
      previous_scheme_transaction_id: '123456789012345',
      previous_transaction_link_id: 'link-1',
    })

    expect(orders()).toMatchObject([
      { previousSchemeTransactionId: '123456789012345', previousTransactionLinkId: 'link-1' },
    ])
  })

  test('does not begin with a declined or merchant-initiated payment', async () => {
    const id = await store()
    await pay({ amount: 200011, payment_method: { method: 'id', id } })
    await pay({
      payment_source: 'card_on_file',
      merchant_initiated: true,
      payment_method: { method: 'id', id },
    })

    expect((await service.send(`GET /payment-methods/${id}`)).json().scheme_transaction_id).toBeNull()
  })

  test('a first payment refers to none', async () => {
    const id = await store()
    await pay({ payment_method: { method: 'id', id } })
    const orders = asked()

    await pay({ payment_method: { method: 'id', id } })

    expect(orders()).toMatchObject([{ previousSchemeTransactionId: null, isSubsequentPayment: false }])
  })
})

async function newSession(body: object): Promise<string> {
  const response = await service.send('POST /checkout/sessions', body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

/** Returns the request that pays the session. */
async function enter(session: string, payment_method: object, rest: object = {}) {
  const body = { payment_method, ...rest }
  const response = await service.send(`PUT /checkout/sessions/${session}/fields`, body, { token: null })
  expect(response.statusCode, response.body).toBe(204)
  return { payment_method: { method: 'checkout-session', id: session } }
}

async function sessionWith(payment_method: object) {
  return enter(await newSession({}), payment_method)
}
