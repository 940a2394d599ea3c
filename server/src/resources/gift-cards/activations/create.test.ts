import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaintsOf, freshNumber, type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { givingUp, waitingOnly } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { attemptsMade, EXPIRES_AT } from '#testing/test-gift-card-connector.ts'
import * as giftCards from '../store.ts'

const MINUTE_MS = 60_000

let service: TestService
let shop: GiftCardShop
beforeAll(async () => {
  service = await startTestService()
  shop = await openGiftCardShop(service)
})
afterAll(() => service.close())

const activate = (body: object = {}, options = {}) =>
  shop.send('POST /gift-cards/activations', { number: freshNumber(), ...body }, options)
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })

async function operationsOf(number: string) {
  return service.context.db
    .selectFrom('gift_card_operations')
    .selectAll()
    .where('last4', '=', number.slice(-4))
    .where('bin', '=', number.slice(0, 6))
    .orderBy('id')
    .execute()
}

async function vaultItems(): Promise<number> {
  const found = await sql<{ count: string }>`select count(*) from vault.items`.execute(service.context.db)
  return Number(found.rows[0]?.count)
}

describe('activating a card', () => {
  test('answers with the card, which is not stored', async () => {
    const number = freshNumber()
    const before = await vaultItems()

    const response = await activate({
      number,
      amount: 1000,
      currency: 'USD',
      external_identifier: 'receipt-7',
    })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({
      type: 'gift-card',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: 'gifts',
      gift_card_service: expect.objectContaining({ id: shop.serviceId }),
      bin: number.slice(0, 6),
      sub_bin: number.slice(6, 9),
      last4: number.slice(-4),
      expiration_date: EXPIRES_AT,
      buyer: null,
      usage_count: 0,
      last_used_at: null,
      cit_usage_count: 0,
      cit_last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const { id } = response.json()
    expect((await shop.send(`GET /gift-cards/${id}`)).statusCode).toBe(404)
    expect(await vaultItems()).toBe(before)
    expect(await operationsOf(number)).toMatchObject([
      { id, state: 'approved', amount: 1000, currency: 'USD', reference: `a-${id}` },
    ])
  })

  test('stores the card with store', async () => {
    const buyerId = await shop.buyer('keeper')
    const before = await vaultItems()

    const response = await activate({ pin: 'holds 500', store: true, buyer_id: buyerId })

    expect(response.statusCode, response.body).toBe(201)
    const card = response.json()
    expect(card.buyer.id).toBe(buyerId)
    expect((await shop.send(`GET /gift-cards/${card.id}`)).json()).toEqual(card)
    expect(await vaultItems()).toBe(before + 2)
    const balance = await shop.send('POST /gift-cards/balances', { items: [{ id: card.id }] })
    expect(balance.json().items[0].balance).toBe(500)
  })

  test('is done once, and replayed by its idempotency key', async () => {
    const [body, options] = [{ number: freshNumber(), amount: 5, currency: 'USD' }, keyed()]

    const first = await activate(body, options)
    const again = await activate(body, options)

    expect(again.body).toBe(first.body)
    expect(await operationsOf(body.number)).toHaveLength(1)
  })
})

describe('refuses', () => {
  test.each([
    ['an amount without a currency', { amount: 5 }, '/currency', 'value_error.missing'],
    ['a currency without an amount', { currency: 'USD' }, '/amount', 'value_error.missing'],
    ['a currency that is none', { amount: 5, currency: 'XYZ' }, '/currency', 'type_error.enum'],
    ['an amount below zero', { amount: -1, currency: 'USD' }, '/amount', 'value_error.number.not_ge'],
    [
      'an amount of nine digits',
      { amount: 100_000_000, currency: 'USD' },
      '/amount',
      'value_error.number.not_le',
    ],
    ['a number of 15 digits', { number: '606060000000000' }, '/number', 'value_error.any_str.min_length'],
    [
      'a number of 20 digits',
      { number: '60606000000000000000' },
      '/number',
      'value_error.any_str.max_length',
    ],
    ['to store a card without a PIN', { store: true }, '/pin', 'value_error.missing'],
    [
      'a buyer for a card that is not stored',
      { buyer_external_identifier: 'keeper' },
      '/buyer_external_identifier',
      'value_error.conflict',
    ],
    ['an unknown card', { pin: 'refuse invalid_gift_card' }, '/number', 'value_error.not_found'],
    ['what is active already', { pin: 'refuse unexpected_state' }, '/number', 'value_error.conflict'],
    [
      'an amount that the service does not take',
      { pin: 'refuse invalid_amount', amount: 5, currency: 'USD' },
      '/amount',
      'value_error.conflict',
    ],
  ])('%s', async (_name, body, pointer, type) => {
    expect(complaintsOf(await activate(body))).toEqual([[pointer, type]])
  })

  test('and deletes a card that was to be stored', async () => {
    const before = await vaultItems()
    const number = freshNumber()

    await activate({ number, pin: 'refuse inactive_card', store: true })

    expect(await vaultItems()).toBe(before)
    expect(await operationsOf(number)).toMatchObject([
      {
        state: 'refused',
        error_code: 'inactive_card',
        raw_error_code: 'E42',
        raw_error_message: 'no: inactive_card',
        number_token: null,
      },
    ])
  })

  test('a retry for the same reason, without asking the service', async () => {
    const [body, options] = [{ number: freshNumber(), pin: 'refuse inactive_card' }, keyed()]

    const first = await activate(body, options)
    const again = await activate(body, options)

    expect(complaintsOf(again)).toEqual(complaintsOf(first))
    expect(await operationsOf(body.number)).toHaveLength(1)
  })

  test('a card that the buyer already has, before the service is asked', async () => {
    const buyerId = await shop.buyer('owner')
    const number = freshNumber()
    const { id } = await shop.store({ number, buyer_id: buyerId })

    const response = await activate({ number, pin: 'holds 1', store: true, buyer_id: buyerId })

    expect(response.statusCode).toBe(409)
    expect(response.json().resource_id).toBe(id)
    expect(await operationsOf(number)).toEqual([])
  })

  test('if the service does not support it, or there is none', async () => {
    for (const account of ['plain', 'none']) {
      await service.send('POST /merchant-accounts', { id: account, display_name: account })
    }
    const plain = {
      display_name: 'Plain cards',
      gift_card_service_definition_id: 'plain-gift-card',
      fields: [],
    }
    await service.send('POST /gift-card-services', plain, { account: 'plain' })

    const unable = await activate({}, { account: 'plain' })
    const missing = await activate({}, { account: 'none' })

    expect([unable.statusCode, missing.statusCode]).toEqual([400, 400])
    expect(unable.json().message).toBe('Plain cards does not support the operation: activate.')
    expect(missing.json().message).toBe('Activate a gift card service first: this merchant account has none.')
  })
})

describe('an answer that is lost', () => {
  test('is answered with 504, and a retry gets the outcome', async () => {
    const buyerId = await shop.buyer('patient')
    const number = freshNumber()
    const body = { number, pin: 'lose', store: true, buyer_id: buyerId }
    const options = keyed()

    const first = await givingUp(service, () => activate(body, options))
    const later = await activate(body, options)

    expect(first.statusCode).toBe(504)
    expect(first.headers['retry-after']).toBe('60')
    expect(later.statusCode, later.body).toBe(201)
    const [operation, ...others] = await operationsOf(number)
    expect(others).toEqual([])
    expect(operation).toMatchObject({ state: 'approved', gift_card_id: later.json().id })
    expect(attemptsMade.get(operation?.id ?? '')?.times).toBe(1)
    expect(later.json()).toMatchObject({ buyer: { id: buyerId }, expiration_date: EXPIRES_AT })
    expect((await activate(body, options)).body).toBe(later.body)
  })

  test('is resolved by a job, which then stores the card', async () => {
    const number = freshNumber()
    await givingUp(service, () => activate({ number, pin: 'lose', store: true }))
    const [unknown] = await operationsOf(number)

    await service.resolveDue()
    const [early] = await operationsOf(number)
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()
    const [settled] = await operationsOf(number)

    expect([unknown?.state, early?.state, settled?.state]).toEqual(['sent', 'sent', 'approved'])
    const stored = await giftCards.find(shop.scope, settled?.gift_card_id ?? '')
    expect(stored).toMatchObject({ last4: number.slice(-4) })
  })

  test('is available to a retry after a job resolved it', async () => {
    const number = freshNumber()
    const [body, options] = [{ number, pin: 'lose', store: true }, keyed()]
    await givingUp(service, () => activate(body, options))
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()
    const [settled] = await operationsOf(number)

    const later = await activate(body, options)

    expect(later.statusCode, later.body).toBe(201)
    expect(later.json().id).toBe(settled?.gift_card_id)
    expect(await operationsOf(number)).toEqual([settled])
  })

  test('is a refusal when the service does not know the activation', async () => {
    const number = freshNumber()
    const before = await vaultItems()
    const options = keyed()
    const body = { number, pin: 'stall', store: true }
    await givingUp(service, () => activate(body, options))

    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()
    const [settled] = await operationsOf(number)
    const again = await activate(body, options)

    expect(settled).toMatchObject({ state: 'refused', error_code: 'service_network_error' })
    expect(await vaultItems()).toBe(before)
    expect(again.statusCode).toBe(400)
    expect(again.json().message).toBe('The gift card service refuses: service_network_error.')
  })

  test('blocks other activations of the same card until it is resolved', async () => {
    const number = freshNumber()
    const losing = waitingOnly(service, 2_000, () => activate({ number, pin: 'lose' }))
    await expect.poll(() => operationsOf(number), { interval: 10 }).toHaveLength(1)
    const fast = await activate({ number, pin: 'holds 1' })
    const lost = await losing

    const after = await activate({ number, pin: 'holds 1' })

    expect(lost.statusCode).toBe(504)
    expect(fast).toMatchObject({ statusCode: 425 })
    expect(after.statusCode, after.body).toBe(201)
    expect((await operationsOf(number)).map(({ state }) => state)).toEqual(['approved', 'approved'])
  })

  test('lets only one of two concurrent activations be sent', async () => {
    const number = freshNumber()

    const responses = await waitingOnly(service, 2_000, () =>
      Promise.all([1, 2, 3].map(() => activate({ number, pin: 'lose' }))),
    )

    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([425, 425, 504])
    expect(await operationsOf(number)).toHaveLength(1)
  })

  test('reserves a place for the card among the buyer’s ten', async () => {
    const buyerId = await shop.buyer('full')
    for (let made = 0; made < 9; made += 1) await shop.store({ buyer_id: buyerId })
    await givingUp(service, () => activate({ pin: 'lose', store: true, buyer_id: buyerId }))

    const tenth = { number: freshNumber(), pin: 'holds 1', buyer_id: buyerId }

    expect(complaintsOf(await shop.send('POST /gift-cards', tenth))).toEqual([
      ['/buyer_id', 'value_error.list.max_items'],
    ])
  })

  test('shows the stored card if the buyer got it in another way meanwhile', async () => {
    const buyerId = await shop.buyer('quick')
    const number = freshNumber()
    await givingUp(service, () => activate({ number, pin: 'lose', store: true, buyer_id: buyerId }))
    const { id } = await shop.store({ number, buyer_id: buyerId })
    const before = await vaultItems()

    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()

    expect(await operationsOf(number)).toMatchObject([{ state: 'approved', gift_card_id: id }])
    expect(await vaultItems()).toBe(before - 2)
  })
})

test('another process continues an activation whose process died between the commits', async () => {
  const number = freshNumber()
  const [body, options] = [{ number, pin: 'lose' }, keyed()]
  await givingUp(service, () => activate(body, options))
  // As it was when the request had been sent, and no process waited for the answer.
  await service.context.db
    .updateTable('gift_card_operations')
    .set({ state: 'sent' })
    .where('last4', '=', number.slice(-4))
    .execute()

  service.moveClock(2 * MINUTE_MS)
  const later = await activate(body, options)

  expect(later.statusCode, later.body).toBe(201)
  const [operation, ...others] = await operationsOf(number)
  expect(others).toEqual([])
  expect(attemptsMade.get(operation?.id ?? '')?.times).toBe(1)
})

describe('a browser token', () => {
  test('activates for its own buyer, with the amount it pins', async () => {
    const buyerId = await shop.buyer('page')
    const pinned = { buyer_id: buyerId, amount: 700, currency: 'USD' }
    const token = await shop.embed(pinned)
    const number = freshNumber()

    const stored = await activate({ number, pin: 'holds 1', store: true }, { token })
    const plain = await activate({}, { token })

    expect(stored.statusCode, stored.body).toBe(201)
    expect(stored.json().buyer.id).toBe(buyerId)
    expect(await operationsOf(number)).toMatchObject([{ amount: 700, currency: 'USD' }])
    expect(plain.statusCode, plain.body).toBe(201)
    expect(plain.json().buyer).toBeNull()
  })

  test('chooses no amount, no currency, and no other buyer', async () => {
    const other = await shop.buyer('not-the-page')
    const token = await shop.embed()
    const ofYen = await shop.embed({ amount: 1000 })

    const amount = await activate({ amount: 99_999_999, currency: 'USD' }, { token })
    const currency = await activate({ currency: 'USD' }, { token: ofYen })
    const buyer = await activate({ pin: '1', store: true, buyer_id: other }, { token })

    expect(complaintsOf(amount)).toEqual([
      ['/amount', 'value_error.conflict'],
      ['/currency', 'value_error.conflict'],
    ])
    expect(complaintsOf(currency)).toEqual([['/currency', 'value_error.conflict']])
    expect(buyer.statusCode).toBe(403)
  })
})
