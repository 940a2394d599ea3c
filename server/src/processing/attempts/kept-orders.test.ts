import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { stopCommitting } from '#testing/commits.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { KEYS_LIVE_MS, openReplayer } from '#testing/test-replayer.ts'
import { openTill, PAYOUT_CARD, type Till } from '#testing/till.ts'
import { registryOf } from '../service-accounts/registry.ts'
import { forgetOldOrders, keepOrder } from './kept-orders.ts'

const MINUTE = 60_000
const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '737' }
const replayer = openReplayer()

let service: TestService
let till: Till
let token: string
let serviceId: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const { connectors } = service.providers
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, replayer.connector]) })
  // These tests move the clock by days.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 })
  const made = await service.send('POST /payment-services', {
    display_name: 'Replayer',
    payment_service_definition_id: 'test-replayer',
    fields: [],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  expect(made.statusCode, made.body).toBe(201)
  serviceId = made.json().id
})
beforeEach(() => {
  replayer.sent.length = 0
  replayer.meanwhile = async () => undefined
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.close())

const LOST = () => Promise.reject(new Error('the line broke'))
const pay = (body: object = {}) =>
  till.pay({ payment_method: CARD, payment_service_id: serviceId, ...body }, { token })
const get = (id: string) => till.get(id, { token })
const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}
const inVault = async () => {
  const { rows } = await sql<{ field: string }>`
    select field from vault.items where field in ('order', 'security-code') order by field
  `.execute(service.database.db)
  return rows.map(({ field }) => field)
}
const kept = async () => {
  const { rows } = await sql`select 1 from attempt_orders where order_token is not null`.execute(
    service.database.db,
  )
  return rows.length
}
const forget = () => forgetOldOrders(service.context, service.vault)

describe('a payment at a provider that can only be asked by replay', () => {
  test('leaves nothing behind once it is decided', async () => {
    const { status } = await pay()

    expect(status).toBe('authorization_succeeded')
    expect([await inVault(), await kept()]).toEqual([[], 0])
  })

  test('whose answer is lost is sent again as it was, with the security code', async () => {
    replayer.meanwhile = LOST
    const { id, status } = await pay({
      payment_method: { ...CARD, redirect_url: 'https://shop.example.com/back' },
      buyer: { external_identifier: 'b-1', billing_details: { first_name: 'Ann', last_name: 'Lee' } },
      cart_items: [{ name: 'Cup', quantity: 1, unit_amount: 1000 }],
    })
    expect(status).toBe('processing')
    expect(await inVault()).toEqual(['order', 'security-code'])

    await resolveAfter(MINUTE + 1)

    const [first, again] = replayer.sent
    expect(again).toEqual({ ...first, isReplay: true })
    expect(first?.order).toMatchObject({ instrument: { number: CARD.number, securityCode: '737' } })
    expect((await get(id)).status).toBe('authorization_succeeded')
    expect([await inVault(), await kept()]).toEqual([[], 0])
  })

  test('whose process dies after sending is sent again as it was', async () => {
    replayer.meanwhile = async () => {
      stopCommitting(service)
      return undefined
    }
    const key = { token, headers: { 'idempotency-key': 'dies-after-sending' } }
    const body = { amount: 1000, currency: 'USD', country: 'US', payment_method: CARD }
    await service.send('POST /transactions', { ...body, payment_service_id: serviceId }, key)
    vi.restoreAllMocks()

    await resolveAfter(MINUTE)

    expect(replayer.sent[1]).toEqual({ ...replayer.sent[0], isReplay: true })
    expect([await inVault(), await kept()]).toEqual([[], 0])
  })

  test('whose process dies before sending has failed, and is never sent', async () => {
    const store = service.vault.store.bind(service.vault)
    vi.spyOn(service.vault, 'store').mockImplementation((db, place, field, value) => {
      if (field === 'order') throw new Error('the process is dead')
      return store(db, place, field, value)
    })
    const body = { amount: 1000, currency: 'USD', country: 'US', payment_method: CARD }
    await service.send('POST /transactions', { ...body, payment_service_id: serviceId }, { token })
    vi.restoreAllMocks()
    const [payment] = (await service.send('GET /transactions?limit=1', undefined, { token })).json().items
    expect(payment.status).toBe('processing')

    await resolveAfter(MINUTE)

    expect(replayer.sent).toEqual([])
    expect(await get(payment.id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'service_network_error',
    })
  })

  test('is sent again without the security code after ten minutes', async () => {
    replayer.meanwhile = LOST
    const { id } = await pay()

    service.moveClock(10 * MINUTE + 1)
    await forget()
    expect(await inVault()).toEqual(['order'])
    await service.resolveDue()

    expect(replayer.sent[1]?.order).toMatchObject({
      instrument: { number: CARD.number, securityCode: null },
    })
    expect((await get(id)).status).toBe('authorization_succeeded')
  })

  test('loses the security code with the provider’s first answer', async () => {
    replayer.meanwhile = async () => ({ outcome: 'pending', reference: 'r-1', facts: {} })

    await pay()

    expect(await inVault()).toEqual(['order'])
    await resolveAfter(MINUTE + 1)
    expect(await inVault()).toEqual([])
  })

  test('is not sent again once the provider may have forgotten its key, and stays unknown', async () => {
    replayer.meanwhile = LOST
    const { id } = await pay()

    service.moveClock(KEYS_LIVE_MS - 5 * MINUTE)
    await forget()
    await service.resolveDue()

    expect(replayer.sent).toHaveLength(1)
    expect(await inVault()).toEqual([])
    expect((await get(id)).status).toBe('processing')
    await resolveAfter(KEYS_LIVE_MS)
    expect(replayer.sent).toHaveLength(1)
    expect((await get(id)).status).toBe('processing')
  })
})

test('a provider that can also look attempts up is asked without the order, once that is forgotten', async () => {
  const { recovery } = replayer.connector.manifest
  const asked: unknown[] = []
  vi.spyOn(replayer.connector, 'sync').mockImplementation(async ({ transactionId, order }) => {
    asked.push({ transactionId, order })
    return { outcome: 'approved', reference: 'found', facts: {} }
  })
  Object.assign(recovery, { alsoLooksUp: true })
  replayer.meanwhile = LOST
  const { id } = await pay()

  service.moveClock(KEYS_LIVE_MS)
  await forget()
  await service.resolveDue()
  Object.assign(recovery, { alsoLooksUp: undefined })

  expect(asked).toContainEqual({ transactionId: id, order: null })
  expect(replayer.sent).toHaveLength(1)
  expect((await get(id)).status).toBe('authorization_succeeded')
  expect(await inVault()).toEqual([])
})

describe('what follows a payment', () => {
  test('is asked about with the id of the payment, and with its own once the provider has said it', async () => {
    const asked: unknown[] = []
    vi.spyOn(replayer.connector, 'sync').mockImplementation(
      async ({ reference, ownReference, operation }) => {
        if (operation === 'capture') asked.push({ reference, ownReference })
        return { outcome: 'pending', reference: 'c-1', facts: {} }
      },
    )
    const { id } = await pay()
    replayer.meanwhile = LOST
    await till.act(id, 'capture', { amount: 400, final: false }, { token })
    const { payment_service_transaction_id: reference } = await get(id)

    await resolveAfter(MINUTE + 1)
    await resolveAfter(60 * MINUTE)

    expect(asked.slice(0, 2)).toEqual([
      { reference, ownReference: null },
      { reference, ownReference: 'c-1' },
    ])
    vi.restoreAllMocks()
    await resolveAfter(60 * MINUTE)
  })

  test.each([
    ['capture', 'capture', { amount: 400, final: false }],
    ['void', 'void', undefined],
  ])('is sent again as it was: %s', async (operation, path, body) => {
    const { id } = await pay()
    replayer.sent.length = 0
    replayer.meanwhile = LOST
    await till.act(id, path, body, { token })

    await resolveAfter(MINUTE + 1)

    expect(replayer.sent[1]).toEqual({ ...replayer.sent[0], operation, isReplay: true })
    await forget()
    expect([await inVault(), await kept()]).toEqual([[], 0])
  })

  test('is sent again as it was, though the payment has changed since: refunds', async () => {
    const { id } = await pay({ intent: 'capture' })
    replayer.sent.length = 0
    replayer.meanwhile = LOST
    await till.act(id, 'refunds', { amount: 300 }, { token })
    replayer.meanwhile = async () => undefined
    await till.act(id, 'refunds', { amount: 200 }, { token })

    await resolveAfter(MINUTE + 1)

    const [first, ...others] = replayer.sent
    expect(others).toContainEqual({ ...first, isReplay: true })
    await forget()
    expect(await kept()).toBe(0)
  })
})

test('a payout whose answer is lost is sent again as it was, and its card leaves the vault', async () => {
  replayer.meanwhile = LOST
  const body = { amount: 700, payment_method: PAYOUT_CARD, payment_service_id: serviceId }
  const { id } = await till.payOut(body, { token })

  await resolveAfter(MINUTE + 1)

  expect(replayer.sent[1]).toEqual({ ...replayer.sent[0], isReplay: true })
  expect(replayer.sent[0]?.order).toMatchObject({ instrument: { number: CARD.number } })
  expect((await service.send(`GET /payouts/${id}`, undefined, { token })).json().status).toBe('succeeded')
  expect([await inVault(), await kept()]).toEqual([[], 0])
})

test('an order that was kept long ago is not sent again, though no job has forgotten it yet', async () => {
  replayer.meanwhile = LOST
  const { id } = await pay()
  const { db } = service.database
  const { rows } = await sql<{ id: string }>`select id from attempts where transaction_id = ${id}`.execute(db)
  service.moveClock(KEYS_LIVE_MS)

  const order = await keepOrder({ ...service.context, merchantAccountId: 'default' }, service.vault, {
    attempt: { id: rows[0]?.id ?? '', kind: 'authorize' },
    connector: replayer.connector,
    order: { amount: 1299 },
    onReveal: async () => undefined,
  })

  expect(order).toBeUndefined()
  service.moveClock(-KEYS_LIVE_MS)
})

test('two processes that resume an attempt send the same order', async () => {
  replayer.meanwhile = LOST
  const { id } = await pay()
  const { db } = service.database
  const { rows } = await sql<{ id: string }>`select id from attempts where transaction_id = ${id}`.execute(db)
  await sql`delete from attempt_orders`.execute(db)
  const scope = { ...service.context, merchantAccountId: 'default' }
  const keep = () =>
    keepOrder(scope, service.vault, {
      attempt: { id: rows[0]?.id ?? '', kind: 'authorize' },
      connector: replayer.connector,
      order: { amount: 1299 },
      onReveal: async () => undefined,
    })

  const orders = await Promise.all([keep(), keep(), keep()])

  expect(orders).toEqual([{ amount: 1299 }, { amount: 1299 }, { amount: 1299 }])
  expect(await kept()).toBe(1)
})
