import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { CARD } from '#testing/till.ts'
import { readIdempotencyKey } from './idempotency.ts'

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(() => {
  key = crypto.randomUUID()
})

const ORDER = { amount: 1299, currency: 'USD', country: 'US', payment_method: CARD }
type Sending = { readonly token?: string | null; readonly key?: string }
const post = (path: string, body?: unknown, { token, key: own = key }: Sending = {}) =>
  service.send(`POST ${path}`, body, {
    headers: { 'idempotency-key': own },
    ...(token !== undefined && { token }),
  })
const browser = (embed: object = {}, claims: object = {}) =>
  signToken(service.admin, { scopes: ['embed'], embed, ...claims })
const makeBuyer = async () => (await service.send('POST /buyers', {})).json().id as string

async function capturedPayment(): Promise<string> {
  return (await service.send('POST /transactions', { ...ORDER, intent: 'capture' })).json().id
}

describe('an id in capitals', () => {
  test('in the path is the same id, with the same idempotency keys', async () => {
    const id = await capturedPayment()

    const first = await post(`/transactions/${id}/refunds`, { amount: 100 })
    const again = await post(`/transactions/${id.toUpperCase()}/refunds`, { amount: 100 })

    expect(first.statusCode, first.body).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(first.body)
    const { refunded_amount } = (await service.send(`GET /transactions/${id}`)).json()
    expect(refunded_amount).toBe(100)
  })

  test('in the body makes the same request, at any depth', async () => {
    const buyer = await makeBuyer()
    const method = (await service.send('POST /payment-methods', { ...CARD, buyer_id: buyer })).json().id
    const pay = (spell: (id: string) => string) =>
      post('/transactions', {
        ...ORDER,
        buyer_id: spell(buyer),
        payment_method: { method: 'id', id: spell(method) },
      })

    const first = await pay((id) => id)
    const again = await pay((id) => id.toUpperCase())

    expect(first.statusCode, first.body).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(first.body)
  })

  test('is a duplicate of the same id in small letters', async () => {
    const id = '01900000-0000-7000-8000-00000000000a'

    const response = await post('/account-updater/jobs', { payment_method_ids: [id, id.toUpperCase()] })

    expect(response.json().details).toMatchObject([
      { pointer: '/payment_method_ids', type: 'value_error.duplicate' },
    ])
  })
})

describe('a page', () => {
  test('cannot use up a key of the shop’s server', async () => {
    const token = await browser({ amount: 1299, currency: 'USD' })

    const page = await post('/transactions', { ...ORDER, amount: 1299 }, { token })
    const server = await post('/transactions', { ...ORDER, amount: 4200 })

    expect([page.statusCode, server.statusCode]).toEqual([201, 201])
    expect(server.json()).toMatchObject({ amount: 4200 })
    expect(server.headers['idempotent-replayed']).toBeUndefined()
  })

  test('does not get the answer of the shop’s server', async () => {
    const [owner, other] = [await makeBuyer(), await makeBuyer()]
    const card = await service.send('POST /gift-cards', {
      number: '4123455541234561234',
      pin: '01000',
      buyer_id: owner,
    })
    const body = { items: [{ id: card.json().id }] }

    const server = await post('/gift-cards/balances', body)
    const page = await post('/gift-cards/balances', body, { token: await browser({ buyer_id: other }) })

    expect(server.statusCode, server.body).toBe(200)
    expect(page.statusCode, page.body).toBe(400)
  })

  test('that renews its token continues its earlier request', async () => {
    const session = (await service.send('POST /checkout/sessions', { amount: 1299, currency: 'USD' })).json()
      .id
    const buyer_id = await makeBuyer()
    await service.send('POST /buyers', { external_identifier: 'customer-1' })
    const tokens: (() => Promise<string>)[] = [
      () => browser({}, { checkout_session_id: session }),
      () => browser({ buyer_id }),
      () => browser({ buyer_external_identifier: 'customer-1' }),
      () => browser({ metadata: { order: '4711' } }),
    ]

    for (const renew of tokens) {
      const own = crypto.randomUUID()
      const first = await post('/transactions', ORDER, { token: await renew(), key: own })
      const again = await post('/transactions', ORDER, { token: await renew(), key: own })

      expect(first.statusCode, first.body).toBe(201)
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect(again.json().id).toBe(first.json().id)
    }
  })

  test('of another buyer or session has its own keys', async () => {
    const [one, two] = [await makeBuyer(), await makeBuyer()]
    const first = await post('/transactions', ORDER, { token: await browser({ buyer_id: one }) })
    const second = await post('/transactions', ORDER, { token: await browser({ buyer_id: two }) })

    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.json().id).not.toBe(first.json().id)
  })

  test('whose token pins something else sends another request', async () => {
    const buyer_id = await makeBuyer()
    const amounts = [1299, 1300]
    const { amount: _, ...order } = ORDER

    const statuses = []
    for (const amount of amounts) {
      const token = await browser({ buyer_id, amount })
      statuses.push((await post('/transactions', order, { token })).statusCode)
    }

    expect(statuses).toEqual([201, 422])
  })

  test('without a token uses the keys of its checkout session', async () => {
    const sessions = []
    for (let count = 0; count < 2; count += 1)
      sessions.push((await service.send('POST /checkout/sessions')).json().id)
    const look = (session: string, bin: string) =>
      post(`/checkout/sessions/${session}/card-details`, { bin }, { token: null })

    const first = await look(sessions[0], '411111')
    const other = await look(sessions[1], '555555')
    const again = await look(sessions[0].toUpperCase(), '411111')

    expect([first.statusCode, other.statusCode, again.statusCode]).toEqual([200, 200, 200])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const { rows } = await service.database.pool.query(
      `select count(*)::int as keys from idempotency_keys where owner = any($1)`,
      [sessions.map((id) => `holder:${id}`)],
    )
    expect(rows).toEqual([{ keys: 2 }])
  })
})

describe('a payment claims its key with its first commit', () => {
  const rowsOf = async () => {
    const { rows } = await sql<{ begun: string | null; status: number | null }>`
      select begun, status from idempotency_keys where key = ${readIdempotencyKey(service.secrets, key)}
    `.execute(service.context.db)
    return rows
  }
  const countPayments = async () => {
    const listed = await service.send(`GET /transactions?external_identifier=${key}`)
    return listed.json().items.length
  }

  test('of many at once, one is made', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, () => post('/transactions', { ...ORDER, external_identifier: key })),
    )

    const made = all.filter(({ statusCode }) => statusCode === 201)
    const refused = all.filter(({ statusCode }) => statusCode !== 201)
    expect(new Set(made.map(({ body }) => body)).size).toBe(1)
    expect(refused.map((response) => response.json().code)).toEqual(refused.map(() => 'concurrent_request'))
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(refused.map(() => '1'))
    expect(await countPayments()).toBe(1)
    const [first] = made
    expect(await rowsOf()).toEqual([{ begun: first?.json().id, status: 201 }])
  })

  test('a repeated one gets the first answer, also if it would be refused by now', async () => {
    const buyer_id = await makeBuyer()
    const method = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json().id
    const pay = () => post('/transactions', { ...ORDER, payment_method: { method: 'id', id: method } })
    const first = await pay()
    await service.send(`DELETE /payment-methods/${method}`)

    const again = await pay()

    expect(first.statusCode, first.body).toBe(201)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(first.body)
  })

  test('another one with the key is refused as such, even if it would be refused anyway', async () => {
    await post('/transactions', ORDER)

    const other = await post('/transactions', {
      ...ORDER,
      payment_method: { method: 'id', id: crypto.randomUUID() },
    })

    expect(other.statusCode, other.body).toBe(422)
  })

  test('one that is refused leaves the key free', async () => {
    const refused = await post('/transactions', {
      ...ORDER,
      payment_method: { method: 'id', id: crypto.randomUUID() },
    })

    expect(refused.statusCode).toBe(400)
    expect(await rowsOf()).toEqual([])
    expect((await post('/transactions', ORDER)).statusCode).toBe(201)
  })

  test('one of a process that died is continued', async () => {
    const first = (await post('/transactions', { ...ORDER, external_identifier: key })).json()
    await byHand(
      service.context.db,
      sql`update idempotency_keys set status = null, response = null, leased_until = 'epoch'
        where key = ${readIdempotencyKey(service.secrets, key)}`,
    )

    const again = await post('/transactions', { ...ORDER, external_identifier: key })

    expect(again.statusCode, again.body).toBe(201)
    expect(again.json().id).toBe(first.id)
    expect(await countPayments()).toBe(1)
  })
})
