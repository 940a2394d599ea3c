import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

const BUYER = {
  display_name: 'Ada',
  billing_details: { first_name: 'Ada', address: { country: 'GB', postal_code: 'N1 9GU' } },
  shipping_details: { last_name: 'Lovelace' },
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const create = (body?: unknown, options = {}) => service.send('POST /checkout/sessions', body, options)
const newId = async (body?: unknown) => (await create(body)).json().id
const show = async (id: string) => (await service.send(`GET /checkout/sessions/${id}`)).json()
const fill = (id: string, body: unknown = { payment_method: CARD }) =>
  service.send(`PUT /checkout/sessions/${id}/fields`, body, { token: null })

describe('creating a session', () => {
  test('needs no body, with or without a content type', async () => {
    const bare = await create()
    const announced = await create(undefined, { headers: { 'content-type': 'application/json' } })
    const nothing = await create('null', { headers: { 'content-type': 'application/json' } })
    const empty = await create({})
    const emptyOfPhp = await create([])

    for (const response of [bare, announced, nothing, empty, emptyOfPhp]) {
      expect(response.statusCode, response.body).toBe(201)
      expect(response.json()).toEqual({
        type: 'checkout-session',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        metadata: null,
        amount: null,
        currency: null,
        country: null,
        payment_service_id: null,
        intent: null,
        payment_source: null,
        merchant_initiated: null,
        is_subsequent_payment: null,
        cart_items: null,
        buyer: null,
        airline: null,
        expires_at: expect.any(String),
        payment_method: null,
      })
    }
  })

  test.each([[[{}]], [[1]], [[null]], [[[]]]])('refuses an array with items: %j', async (body) => {
    const response = await create(body)

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual([['', 'value_error.list.max_items']])
  })

  test('accepts an empty array only on creation', async () => {
    const id = await newId()

    expect((await service.send(`PUT /checkout/sessions/${id}`, [])).statusCode).toBe(400)
  })

  test('is documented with its empty array', async () => {
    const { paths, components } = (await service.app.inject('/openapi.json')).json()

    const { requestBody } = paths['/checkout/sessions'].post
    const { $ref } = requestBody.content['application/json'].schema
    expect($ref).toBe('#/components/schemas/CreateCheckoutSession')
    expect(requestBody.required).toBe(false)
    expect(components.schemas.CreateCheckoutSession).toMatchObject({ type: ['object', 'array'], maxItems: 0 })
  })

  test('keeps the order, and shows all of its fields', async () => {
    const response = await create({
      amount: 1299,
      currency: 'GBP',
      country: 'GB',
      intent: 'capture',
      payment_source: 'card_on_file',
      merchant_initiated: false,
      is_subsequent_payment: true,
      metadata: { order: '4711' },
      cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 1299, categories: ['bags'] }],
      buyer: BUYER,
      airline: { booking_code: 'X36Q9C', legs: [{ flight_number: 'BA269' }] },
    })

    expect(response.statusCode, response.body).toBe(201)
    const session = response.json()
    expect(session).toMatchObject({
      amount: 1299,
      currency: 'GBP',
      country: 'GB',
      intent: 'capture',
      payment_source: 'card_on_file',
      merchant_initiated: false,
      is_subsequent_payment: true,
      metadata: { order: '4711' },
      cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 1299, categories: ['bags'], sku: null }],
      buyer: {
        display_name: 'Ada',
        account_number: null,
        billing_details: {
          type: 'billing-details',
          first_name: 'Ada',
          last_name: null,
          address: { country: 'GB', postal_code: 'N1 9GU', city: null },
        },
        shipping_details: { first_name: null, last_name: 'Lovelace', address: null },
      },
      airline: { booking_code: 'X36Q9C', legs: [{ flight_number: 'BA269', fare_amount: null }] },
    })
    expect(await show(session.id)).toEqual(session)
  })

  test.each([
    [undefined, 3_600],
    [3_600, 3_600],
    [7_200.5, 7_200.5],
    [86_400, 86_400],
  ])('with expires_in %s lives for %s seconds', async (expires_in, seconds) => {
    const before = Date.now()

    const session = (await create(expires_in === undefined ? {} : { expires_in })).json()

    const requestMs = Date.now() - before
    const lifetimeMs = Date.parse(session.expires_at) - before
    expect(lifetimeMs).toBeGreaterThanOrEqual(seconds * 1000 - 1)
    expect(lifetimeMs).toBeLessThan(seconds * 1000 + requestMs + 5_000)
  })

  test.each([
    [{ expires_in: 3_599 }, '/expires_in', 'value_error.number.not_ge'],
    [{ expires_in: 86_401 }, '/expires_in', 'value_error.number.not_le'],
    [{ expires_in: '3600' }, '/expires_in', 'type_error.integer'],
    [{ expires_in: null }, '/expires_in', 'type_error.integer'],
    [{ amount: -1 }, '/amount', 'value_error.number.not_ge'],
    [{ amount: 100_000_000 }, '/amount', 'value_error.number.not_le'],
    [{ amount: 12.5 }, '/amount', 'type_error.integer'],
    [{ currency: 'usd' }, '/currency', 'value_error.str.regex'],
    [{ currency: 'ZZZ' }, '/currency', 'type_error.enum'],
    [{ country: 'ZZ' }, '/country', 'type_error.enum'],
    [{ intent: 'void' }, '/intent', 'type_error.enum'],
    [{ payment_source: 'phone' }, '/payment_source', 'type_error.enum'],
    [{ merchant_initiated: 'yes' }, '/merchant_initiated', 'type_error.bool'],
    [{ metadata: { order: 4711 } }, '/metadata/order', 'type_error.string'],
    [{ cart_items: [{ name: 'Bag', quantity: 1 }] }, '/cart_items/0/unit_amount', 'value_error.missing'],
    [{ buyer: { id: MISSING } }, '/buyer/id', 'value_error.extra'],
    [
      { buyer: { billing_details: { address: { country: 'ZZ' } } } },
      '/buyer/billing_details/address/country',
      'type_error.enum',
    ],
    [{ payment_service_id: 'none' }, '/payment_service_id', 'type_error.uuid'],
    [{ payment_service_id: MISSING }, '/payment_service_id', 'value_error.not_found'],
    [{ payment_method: CARD }, '/payment_method', 'value_error.extra'],
  ])('refuses %o', async (body, pointer, type) => {
    const response = await create(body)

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([[pointer, type]])
  })

  test.each([
    { billing_details: { tax_id: { value: '12345678931', kind: 'ae.trn' } } },
    { billing_details: { email_address: 'john@localhost' } },
    { shipping_details: { address: { country: 'US', state_code: 'GB-ENG' } } },
  ])('accepts the buyer %o unchecked', async (buyer) => {
    const response = await create({ buyer })

    expect(response.statusCode, response.body).toBe(201)
  })

  test('accepts only a payment service of its own merchant account', async () => {
    const [own] = (await service.send('GET /payment-services')).json().items

    const response = await create({ payment_service_id: own.id })
    const foreign = await create({ payment_service_id: own.id }, { account: 'other' })

    expect(response.json().payment_service_id).toBe(own.id)
    expect(pointers(foreign)).toEqual([['/payment_service_id', 'value_error.not_found']])
  })

  test('reports all mistakes at once', async () => {
    const response = await create({ amount: '1', currency: 'ZZZ', country: 'ZZ', payment_service_id: 'x' })

    expect(pointers(response).map(([pointer]) => pointer)).toEqual([
      '/amount',
      '/currency',
      '/country',
      '/payment_service_id',
    ])
  })
})

describe('updating a session', () => {
  test('changes only the sent fields, and null clears', async () => {
    const before = (
      await create({ amount: 1299, currency: 'GBP', buyer: BUYER, metadata: { a: '1' } })
    ).json()

    const response = await service.send(`PUT /checkout/sessions/${before.id}`, {
      amount: null,
      metadata: { b: '2' },
      cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 1299 }],
    })

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      ...before,
      amount: null,
      metadata: { b: '2' },
      cart_items: [expect.objectContaining({ name: 'Bag' })],
    })
    const cleared = await service.send(`PUT /checkout/sessions/${before.id}`, {
      cart_items: null,
      buyer: null,
    })
    expect(cleared.json()).toMatchObject({
      currency: 'GBP',
      cart_items: null,
      buyer: null,
      metadata: { b: '2' },
    })
  })

  test('changes the end only if the request says so', async () => {
    const before = (await create()).json()

    const same = (await service.send(`PUT /checkout/sessions/${before.id}`, { amount: 1 })).json()
    const later = (await service.send(`PUT /checkout/sessions/${before.id}`, { expires_in: 7_200 })).json()

    expect(same.expires_at).toBe(before.expires_at)
    expect(Date.parse(later.expires_at) - Date.parse(before.expires_at)).toBeGreaterThan(3_500_000)
    expect(later.amount).toBe(1)
  })

  test('keeps the entered card', async () => {
    const id = await newId()
    await fill(id)

    const response = await service.send(`PUT /checkout/sessions/${id}`, { amount: 1 })

    expect(response.json().payment_method.label).toBe('1111')
  })

  test('refuses the same as creating', async () => {
    const response = await service.send(`PUT /checkout/sessions/${await newId()}`, { currency: 'ZZZ' })

    expect(pointers(response)).toEqual([['/currency', 'type_error.enum']])
  })
})

describe('deleting a session', () => {
  test('hides it, and deletes the entered card', async () => {
    const id = await newId()
    await fill(id)
    const itemsBefore = await vaultItems()

    const response = await service.send(`DELETE /checkout/sessions/${id}`)

    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(await vaultItems()).toBe(itemsBefore - 2)
    for (const [route, body] of routesOf(id)) {
      expect((await service.send(route, body)).statusCode, route).toBe(404)
    }
  })

  test('keeps the card for a payment that is under way', async () => {
    const id = await newId()
    await fill(id)
    await service.context.db
      .updateTable('checkout_sessions')
      .set({ transaction_id: MISSING })
      .where('id', '=', id)
      .execute()
    const itemsBefore = await vaultItems()

    const response = await service.send(`DELETE /checkout/sessions/${id}`)

    expect(response.statusCode).toBe(204)
    expect(await vaultItems()).toBe(itemsBefore)
    expect((await service.send(`GET /checkout/sessions/${id}`)).statusCode).toBe(404)
  })
})

test('a session is found in its own merchant account only', async () => {
  const id = await newId()

  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { amount: 1 } : undefined
    const response = await service.send(`${method} /checkout/sessions/${id}`, body, { account: 'other' })
    expect(response.statusCode).toBe(404)
  }
  expect((await show(id)).amount).toBeNull()
})

test('an expired session is not found', async () => {
  const own = await startTestService()
  const id = (await own.send('POST /checkout/sessions')).json().id

  own.moveClock(3_600_000)

  const exp = Math.floor(Date.now() / 1000) + 10_000
  const token = await signToken(own.admin, { exp })
  for (const [route, body] of routesOf(id)) {
    expect((await own.send(route, body, { token })).statusCode, route).toBe(404)
  }
  await own.close()
})

test('pages of any origin may use only the operations without a token', async () => {
  const id = await newId()
  const ask = (path: string) =>
    service.send(`OPTIONS ${path}`, undefined, {
      token: null,
      headers: { origin: 'https://shop.example.com', 'access-control-request-method': 'PUT' },
    })

  const fields = await ask(`/checkout/sessions/${id}/fields`)
  const details = await ask(`/checkout/sessions/${id}/card-details`)
  const session = await ask(`/checkout/sessions/${id}`)

  expect(fields.statusCode).toBe(204)
  expect(fields.headers['access-control-allow-methods']).toBe('PUT, POST')
  expect(details.headers['access-control-allow-methods']).toBe('POST')
  expect(session.headers['access-control-allow-origin']).toBeUndefined()
  expect((await fill(id)).headers['access-control-allow-origin']).toBe('*')
})

describe('card details', () => {
  test('show what the first digits tell', async () => {
    const response = await service.send(
      `POST /checkout/sessions/${await newId()}/card-details`,
      { bin: '41111111' },
      { token: null },
    )

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      bin: '41111111',
      card_type: expect.anything(),
      scheme: 'visa',
      scheme_icon_url: 'http://127.0.0.1:3000/assets/card-schemes/visa.svg',
      additional_schemes: [],
    })
  })

  test.each(['41111', '411111111', '41111a', ''])('refuse %j for a bin', async (bin) => {
    const response = await service.send(
      `POST /checkout/sessions/${await newId()}/card-details`,
      { bin },
      { token: null },
    )

    expect(pointers(response)).toEqual([['/bin', 'value_error.str.regex']])
  })
})

test.each(['%00', 'x'.repeat(400)])('a path that no column takes is refused: %s', async (id) => {
  const response = await service.send(`GET /checkout/sessions/${id}/acquirer`, undefined, { token: null })

  expect(response.statusCode, response.body).toBe(400)
})

test('the acquirer’s answer has no data', async () => {
  const response = await service.send(`GET /checkout/sessions/${await newId()}/acquirer`, undefined, {
    token: null,
  })

  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({})
})

test('a session id can be used fifty times a minute, over all paths', async () => {
  const id = await newId()
  const routes = [
    `PUT /checkout/sessions/${id}/fields`,
    `POST /checkout/sessions/${id.toUpperCase()}/fields`,
    `POST /checkout/sessions/${id}/card-details`,
    `GET /checkout/sessions/${id}/acquirer`,
  ]
  const statuses = []
  for (let count = 0; count < 50; count += 1) {
    statuses.push((await service.send(routes[count % 4] ?? '', {}, { token: null })).statusCode)
  }

  const refused = await fill(id)

  expect(statuses).not.toContain(429)
  expect(refused.statusCode).toBe(429)
  expect(refused.json().code).toBe('too_many_requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers['access-control-allow-origin']).toBe('*')
  // The shop's own server is not limited, and another session is another buyer.
  expect((await service.send(`GET /checkout/sessions/${id}`)).statusCode).toBe(200)
  expect((await fill(await newId())).statusCode).toBe(204)
})

test('guessed session ids leave no row behind, and are limited by address', async () => {
  const rows = async () =>
    (await service.database.pool.query('select count(*)::int as count from rate_limits')).rows[0].count
  const guess = async (address: string) =>
    (
      await service.send(`GET /checkout/sessions/${crypto.randomUUID()}/acquirer`, undefined, {
        token: null,
        address,
      })
    ).statusCode
  const before = await rows()

  const statuses = []
  for (let count = 0; count < 60; count += 1) statuses.push(await guess('192.0.2.7'))

  expect(statuses).toEqual([...Array(50).fill(404), ...Array(10).fill(429)])
  expect(await rows()).toBe(before)
  expect(await guess('192.0.2.8')).toBe(404)
  // A buyer behind the same address has done nothing wrong.
  const known = await service.send(`GET /checkout/sessions/${await newId()}/acquirer`, undefined, {
    token: null,
    address: '192.0.2.7',
  })
  expect(known.statusCode).toBe(200)
})

function routesOf(id: string): [string, unknown][] {
  return [
    [`GET /checkout/sessions/${id}`, undefined],
    [`PUT /checkout/sessions/${id}`, { amount: 1 }],
    [`PUT /checkout/sessions/${id}/fields`, { payment_method: CARD }],
    [`POST /checkout/sessions/${id}/fields`, { payment_method: CARD }],
    [`POST /checkout/sessions/${id}/card-details`, { bin: '411111' }],
    [`GET /checkout/sessions/${id}/acquirer`, undefined],
    [`DELETE /checkout/sessions/${id}`, undefined],
  ]
}

async function vaultItems(): Promise<number> {
  const { rows } = await service.database.pool.query('select count(*)::integer as count from vault.items')
  return rows[0].count
}
