import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { disagreements } from '#testing/books.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, orderPayout, PAYOUT_CARD, type Till } from '#testing/till.ts'

const MERCHANT = {
  name: 'Lucky Ltd',
  identification_number: 'LL-4711',
  phone_number: '+14155550123',
  url: 'https://lucky.example.com',
  statement_descriptor: 'LUCKY WIN',
  merchant_category_code: '7995',
}

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

const send = (body: object = {}, options = {}) => orderPayout(service, body, options)
const store = async (card: object = {}, account = 'default') =>
  (await service.send('POST /payment-methods', { ...CARD, ...card }, { account })).json().id
const addBuyer = async (body: object = {}) =>
  (await service.send('POST /buyers', { display_name: 'Ada', ...body })).json()
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })
const targetsOf = async (id: string) => {
  const { rows } = await sql<{ name: string; target: object }>`
    select name, target from events where target_id = ${id} order by id`.execute(service.context.db)
  return rows
}
const count = async () =>
  Number((await sql<{ n: string }>`select count(*) as n from payouts`.execute(service.context.db)).rows[0]?.n)

/** What the processor received. */
function received(): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = []
  const { fetch } = service.providers
  vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) => {
    if (url.endsWith('/payouts')) sent.push(JSON.parse(String(init?.body)))
    return fetch(url, init)
  })
  return sent
}

describe('paying out', () => {
  test('to a card by its number', async () => {
    const sent = received()

    const payout = await till.payOut({
      external_identifier: 'win-1',
      category: 'online_gambling',
      payment_method: { ...PAYOUT_CARD, external_identifier: 'my-card' },
      merchant: MERCHANT,
    })

    expect(payout).toEqual({
      type: 'payout',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: 'default',
      status: 'succeeded',
      amount: 1000,
      currency: 'USD',
      category: 'online_gambling',
      external_identifier: 'win-1',
      payment_method: {
        type: 'payment-method',
        id: null,
        method: 'card',
        mode: 'card',
        label: '1111',
        scheme: 'visa',
        expiration_date: '12/40',
        details: { bin: '41111111', card_type: expect.anything(), card_issuer_name: expect.anything() },
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        payment_account_reference: null,
        approval_url: null,
        approval_target: null,
        country: null,
        currency: null,
        external_identifier: 'my-card',
        last_replaced_at: null,
      },
      payment_service: {
        type: 'payment-service',
        id: expect.any(String),
        method: 'card',
        payment_service_definition_id: 'mock-card',
        display_name: expect.any(String),
      },
      payment_service_payout_id: expect.any(String),
      buyer: null,
      merchant: { type: 'merchant', ...MERCHANT, address: null },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(sent).toMatchObject([{ attempt_id: payout.id, instrument: { number: CARD.number } }])
    expect((await service.send(`GET /payouts/${payout.id}`)).json()).toEqual(payout)
    expect(await till.told(payout.id)).toEqual(['payout.succeeded'])
    expect(await till.audited(payout.id)).toEqual(['created by Test key'])
  })

  test('to a card by its number, without a method', async () => {
    const { method: _, ...card } = PAYOUT_CARD

    expect(await till.payOut({ payment_method: card })).toMatchObject({ status: 'succeeded' })
  })

  test.each([{ method: 'id' }, {}])('to a stored card: %j', async (method) => {
    const buyer = await addBuyer()
    const id = await store({ buyer_id: buyer.id })
    const sent = received()

    const payout = await till.payOut({ payment_method: { ...method, id } })

    expect(payout).toMatchObject({
      status: 'succeeded',
      payment_method: { id, label: '1111' },
      buyer: { id: buyer.id, display_name: 'Ada' },
    })
    expect(sent).toMatchObject([{ instrument: { number: CARD.number, security_code: null } }])
  })

  test('names the scheme that the caller chose of a co-badged card', async () => {
    const orders: unknown[] = []
    const connector = service.providers.connectors.find('mock-card')
    if (!connector?.payout) throw new Error('no payouts')
    const { payout } = connector
    vi.spyOn(service.providers.connectors, 'find').mockReturnValue({
      ...connector,
      payout: (order, link) => {
        orders.push(order)
        return payout(order, link)
      },
    })
    const address = { line1: 'Main St 1', country: 'US' }

    const made = await till.payOut({
      payment_method: { ...PAYOUT_CARD, card_scheme: 'carte-bancaire' },
      category: 'online_gambling',
      external_identifier: 'win-2',
      buyer: { billing_details: { first_name: 'Ada' } },
      merchant: { ...MERCHANT, address },
      connection_options: { 'checkout-card': { processing_channel_id: 'c', source_id: 's' } },
    })

    expect(made.payment_method.scheme).toBe('carte-bancaire')
    expect(made.merchant.address).toMatchObject({ ...address, city: null })
    expect(orders).toMatchObject([
      {
        attemptId: made.id,
        payoutId: made.id,
        reconciliationId: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
        amount: 1000,
        currency: 'USD',
        category: 'online_gambling',
        externalIdentifier: 'win-2',
        billing: { first_name: 'Ada' },
        instrument: { scheme: 'carte-bancaire', securityCode: null },
        merchant: { ...MERCHANT, address: { ...address, city: null } },
      },
    ])
  })

  test.each([
    [530_001, 'declined', 'service_decline'],
    [530_002, 'failed', 'service_error'],
  ])('an amount of %d: %s', async (amount, status, error_code) => {
    const payout = await till.payOut({ amount })

    expect(payout.status).toBe(status)
    expect(await targetsOf(payout.id)).toMatchObject([
      {
        name: `payout.${status}`,
        target: { id: payout.id, status, error_code, raw_response_code: String(amount) },
      },
    ])
  })

  test('is done once, and replayed by its idempotency key', async () => {
    const options = keyed()
    const before = await count()

    const one = await send({}, options)
    const again = await send({}, options)
    const other = await send({ amount: 1001 }, options)

    expect(one.statusCode, one.body).toBe(201)
    expect(again.body).toBe(one.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(other.statusCode).toBe(422)
    expect(await count()).toBe(before + 1)
  })

  test('twice at once with one key pays once', async () => {
    const options = keyed()
    const before = await count()

    const answers = await Promise.all([send({}, options), send({}, options), send({}, options)])

    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 201)).not.toEqual([])
    expect(await count()).toBe(before + 1)
  })
})

describe('a funded service', () => {
  test('pays out what was earned, and declines the rest, however many ask at once', async () => {
    const { id } = await till.addService({ merchant_id: crypto.randomUUID(), funded: 'true' })
    await till.pay({ intent: 'capture', payment_service_id: id })

    const payouts = await Promise.all(
      Array.from({ length: 6 }, () => till.payOut({ payment_service_id: id, amount: 400 })),
    )

    expect(payouts.map(({ status }) => status).toSorted()).toEqual([
      ...Array(4).fill('declined'),
      ...Array(2).fill('succeeded'),
    ])
    const declined = payouts.find(({ status }) => status === 'declined')
    expect(await targetsOf(declined.id)).toMatchObject([
      { target: { error_code: 'insufficient_funds', raw_response_code: 'insufficient_balance' } },
    ])
  })
})

describe('the buyer', () => {
  test('is named by id, by an external identifier, or described', async () => {
    const external_identifier = `ada-${crypto.randomUUID()}`
    const buyer = await addBuyer({ external_identifier })

    const byId = await till.payOut({ buyer_id: buyer.id })
    const byName = await till.payOut({ buyer_external_identifier: external_identifier })
    const described = await till.payOut({ buyer: { display_name: 'Guest', account_number: 'A1' } })

    for (const payout of [byId, byName]) {
      expect(payout.buyer).toMatchObject({ type: 'buyer', id: buyer.id, external_identifier })
    }
    expect(described.buyer).toEqual({
      type: 'buyer',
      id: null,
      reconciliation_id: null,
      display_name: 'Guest',
      external_identifier: null,
      account_number: 'A1',
      billing_details: null,
    })
  })

  test('stays in the payout as it was when the buyer is deleted', async () => {
    const buyer = await addBuyer({ billing_details: { first_name: 'Ada' } })
    const id = await store({ buyer_id: buyer.id })
    const payout = await till.payOut({ payment_method: { method: 'id', id } })

    await service.send(`PUT /buyers/${buyer.id}`, { display_name: 'Countess' })
    await service.send(`DELETE /buyers/${buyer.id}`)

    const after = (await service.send(`GET /payouts/${payout.id}`)).json()
    expect(after).toEqual(payout)
    expect(after.buyer).toMatchObject({ id: buyer.id, billing_details: { first_name: 'Ada' } })
  })

  test.each([
    [
      'by id and external identifier',
      { buyer_id: MISSING, buyer_external_identifier: 'ada' },
      '/buyer_external_identifier',
    ],
    ['by id and described', { buyer_id: MISSING, buyer: {} }, '/buyer'],
    ['by external identifier and described', { buyer_external_identifier: 'ada', buyer: {} }, '/buyer'],
  ])('is not named twice: %s', async (_name, body, pointer) => {
    expect(pointers(await send(body))).toEqual([[pointer, 'value_error.conflict']])
  })

  test.each([
    [{ buyer_id: MISSING }, '/buyer_id'],
    [{ buyer_external_identifier: 'nobody-here' }, '/buyer_external_identifier'],
  ])('has to exist: %j', async (body, pointer) => {
    expect(pointers(await send(body))).toEqual([[pointer, 'value_error.not_found']])
  })
})

describe('refuses, and records nothing:', () => {
  const refused = async (body: object, expected: string[][], options = {}) => {
    const before = await count()
    const response = await send(body, options)
    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual(expected)
    expect(await count()).toBe(before)
  }

  test.each<[string, object, string, string]>([
    ['an amount of 0', { amount: 0 }, '/amount', 'value_error.number.not_ge'],
    ['an amount below 0', { amount: -1 }, '/amount', 'value_error.number.not_ge'],
    ['an amount of nine digits', { amount: 100_000_000 }, '/amount', 'value_error.number.not_le'],
    ['no amount', { amount: undefined }, '/amount', 'value_error.missing'],
    ['a currency that is none', { currency: 'XYZ' }, '/currency', 'type_error.enum'],
    ['no service', { payment_service_id: undefined }, '/payment_service_id', 'value_error.missing'],
    ['an unknown service', { payment_service_id: MISSING }, '/payment_service_id', 'value_error.not_found'],
    ['no card', { payment_method: undefined }, '/payment_method', 'value_error.missing'],
    [
      'a wrong check digit',
      { payment_method: { ...PAYOUT_CARD, number: '4111111111111112' } },
      '/payment_method/number',
      'value_error.luhn',
    ],
    [
      'an expired card',
      { payment_method: { ...PAYOUT_CARD, expiration_date: '01/20' } },
      '/payment_method/expiration_date',
      'value_error.expired',
    ],
    [
      'a scheme that is none',
      { payment_method: { ...PAYOUT_CARD, card_scheme: 'moonpay' } },
      '/payment_method/card_scheme',
      'type_error.enum',
    ],
    ['a security code', { payment_method: CARD }, '/payment_method/security_code', 'value_error.extra'],
    [
      'a redirect method',
      { payment_method: { method: 'paypal', country: 'US', currency: 'USD' } },
      '/payment_method/method',
      'type_error.enum',
    ],
    [
      'a checkout session',
      { payment_method: { method: 'checkout-session', id: MISSING } },
      '/payment_method/method',
      'type_error.enum',
    ],
    [
      'a stored card that does not exist',
      { payment_method: { method: 'id', id: MISSING } },
      '/payment_method/id',
      'value_error.not_found',
    ],
    ['another category', { category: 'lottery' }, '/category', 'type_error.enum'],
    [
      'a merchant without a name',
      { merchant: { ...MERCHANT, name: undefined } },
      '/merchant/name',
      'value_error.missing',
    ],
    [
      'a merchant in no country',
      { merchant: { ...MERCHANT, address: { country: 'ZZ' } } },
      '/merchant/address/country',
      'type_error.enum',
    ],
    [
      'options of a connector that has none',
      { connection_options: { 'adyen-card': {} } },
      '/connection_options/adyen-card',
      'value_error.extra',
    ],
  ])('%s', async (_name, body, pointer, type) => {
    await refused(body, [[pointer, type]])
  })

  test('everything that is wrong at once', async () => {
    const payment_method = { ...PAYOUT_CARD, number: '4111111111111112', expiration_date: '01/20' }

    await refused({ amount: 0, currency: 'XYZ', payment_method }, [
      ['/amount', 'value_error.number.not_ge'],
      ['/currency', 'type_error.enum'],
      ['/payment_method/number', 'value_error.luhn'],
      ['/payment_method/expiration_date', 'value_error.expired'],
    ])
  })

  test('a currency that the service lacks', async () => {
    const { id } = await till.addService({})

    await refused({ payment_service_id: id, currency: 'JPY' }, [['/currency', 'value_error.conflict']])
  })

  test('a deleted, an inactive and another account’s service', async () => {
    const [deleted, inactive] = [await till.addService({}), await till.addService({})]
    const foreign = await till.addService({}, { account: 'other' })
    await service.send(`DELETE /payment-services/${deleted.id}`)
    await service.send(`PUT /payment-services/${inactive.id}`, { active: false })

    const at = '/payment_service_id'
    await refused({ payment_service_id: deleted.id }, [[at, 'value_error.not_found']])
    await refused({ payment_service_id: foreign.id }, [[at, 'value_error.not_found']])
    await refused({ payment_service_id: inactive.id }, [[at, 'value_error.conflict']])
  })

  test('a service that cannot pay out', async () => {
    const body = {
      display_name: 'Cannot',
      payment_service_definition_id: 'test-card',
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    }
    const { id } = (await service.send('POST /payment-services', body)).json()

    await refused({ payment_service_id: id }, [['/payment_service_id', 'value_error.conflict']])
  })

  test('a deleted stored card', async () => {
    const id = await store()
    await service.send(`DELETE /payment-methods/${id}`)

    await refused({ payment_method: { id } }, [['/payment_method/id', 'value_error.not_found']])
  })

  test('an expired stored card', async () => {
    const id = await store()
    await sql`update payment_methods set expiration_date = '01/20' where id = ${id}`.execute(
      service.context.db,
    )

    await refused({ payment_method: { id } }, [['/payment_method/id', 'value_error.expired']])
  })

  test('a stored card of another account', async () => {
    const id = await store({}, 'other')

    await refused({ payment_method: { id } }, [['/payment_method/id', 'value_error.not_found']])
  })

  test('a stored card of another buyer', async () => {
    const [owner, other] = [await addBuyer(), await addBuyer()]
    const id = await store({ buyer_id: owner.id })

    await refused({ payment_method: { id }, buyer_id: other.id }, [
      ['/payment_method/id', 'value_error.conflict'],
    ])
  })

  test('a stored method that is no card', async () => {
    const id = await store()
    await sql`update payment_methods set method = 'paypal' where id = ${id}`.execute(service.context.db)

    await refused({ payment_method: { id } }, [['/payment_method/id', 'value_error.conflict']])
  })

  test('a browser token', async () => {
    const token = await signToken(service.admin, {
      scopes: ['embed'],
      embed: { amount: 1000, currency: 'USD' },
    })

    expect((await send({}, { token })).statusCode).toBe(403)
  })
})
