import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { complaintsOf, freshNumber, type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { givingUp } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { EXPIRES_AT } from '#testing/test-gift-card-connector.ts'
import { withPresentedCard } from './present.ts'
import * as giftCards from './store.ts'

let service: TestService
let shop: GiftCardShop
let buyers = 0
let buyerId = ''
beforeAll(async () => {
  service = await startTestService()
  shop = await openGiftCardShop(service)
  await service.send('POST /merchant-accounts', { id: 'without', display_name: 'Without' })
})
afterAll(() => service.close())
beforeEach(async () => {
  buyers += 1
  buyerId = await shop.buyer(`buyer-${buyers}`)
})

const create = (body: object = {}, options = {}) =>
  shop.send('POST /gift-cards', { number: freshNumber(), pin: 'holds 500', ...body }, options)

async function vaultItems(): Promise<number> {
  const found = await sql<{ count: string }>`select count(*) from vault.items`.execute(service.context.db)
  return Number(found.rows[0]?.count)
}

function eventsOf(id: string) {
  return service.context.db
    .selectFrom('events')
    .select(['name', 'target'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
}

describe('storing a card', () => {
  test('answers with the visible part of the card', async () => {
    const response = await create({ number: '4123455541234561234', buyer_id: buyerId })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({
      type: 'gift-card',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: 'gifts',
      gift_card_service: {
        type: 'gift-card-service',
        id: shop.serviceId,
        gift_card_service_definition_id: 'test-gift-card',
        display_name: 'Test cards',
      },
      bin: '412345',
      sub_bin: '554',
      last4: '1234',
      expiration_date: EXPIRES_AT,
      buyer: expect.objectContaining({ type: 'buyer', id: buyerId }),
      usage_count: 0,
      last_used_at: null,
      cit_usage_count: 0,
      cit_last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await shop.send(`GET /gift-cards/${response.json().id}`)).json()).toEqual(response.json())
  })

  test('takes the buyer by the shop’s own reference, or no buyer', async () => {
    const [named, none] = [
      await shop.store({ buyer_external_identifier: `buyer-${buyers}` }),
      await shop.store({ buyer_id: null, buyer_external_identifier: null }),
    ]

    expect(named).toMatchObject({ buyer: { id: buyerId } })
    expect(none['buyer']).toBeNull()
  })

  test('shows no date for a card that does not expire', async () => {
    expect((await shop.store({ pin: 'forever' }))['expiration_date']).toBeNull()
  })

  test('puts number and PIN into the vault, and is in the audit log', async () => {
    const before = await vaultItems()
    const number = freshNumber()

    const { id } = await shop.store({ number, pin: 'holds 77' })

    expect(await vaultItems()).toBe(before + 2)
    const card = await giftCards.find(shop.scope, id)
    if (!card) throw new Error('the card is gone')
    const opened = await withPresentedCard(
      shop.scope,
      service.vault,
      { kind: 'stored', card },
      async (presented) => [presented.number.use(String), presented.pin?.use(String)],
    )
    expect(opened).toEqual([number, 'holds 77'])
    const entries = await service.context.db
      .selectFrom('audit_logs')
      .select(['action', 'resource_name'])
      .where('resource_id', '=', id)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { action: 'created', resource_name: `${number.slice(0, 6)}…${number.slice(-4)}` },
      { action: 'revealed', resource_name: 'payment' },
    ])
    const published = await eventsOf(id)
    expect(published.map(({ name }) => name)).toEqual(['gift-card.created'])
    expect(published[0]?.target).toMatchObject({ type: 'gift-card', id, last4: number.slice(-4) })
  })

  test('is replayed by its idempotency key', async () => {
    const body = { number: freshNumber(), buyer_id: buyerId }
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } }

    const first = await create(body, options)
    const again = await create(body, options)

    expect(first.statusCode).toBe(201)
    expect(again.body).toBe(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
})

describe('refuses', () => {
  test.each([
    ['a number of 15 digits', { number: '412345554123456' }, '/number', 'value_error.any_str.min_length'],
    [
      'a number of 20 digits',
      { number: '41234555412345612345' },
      '/number',
      'value_error.any_str.max_length',
    ],
    ['letters in the number', { number: '4123455541234561a' }, '/number', 'value_error.str.regex'],
    ['a number that is a number', { number: 4123455541234561 }, '/number', 'type_error.string'],
    ['no number', { number: undefined }, '/number', 'value_error.missing'],
    ['no PIN', { pin: undefined }, '/pin', 'value_error.missing'],
    ['an empty PIN', { pin: '' }, '/pin', 'value_error.any_str.min_length'],
    ['a buyer that is none', { buyer_id: MISSING }, '/buyer_id', 'value_error.not_found'],
    [
      'a reference of no buyer',
      { buyer_external_identifier: 'nobody' },
      '/buyer_external_identifier',
      'value_error.not_found',
    ],
    ['an unknown card', { pin: 'refuse invalid_gift_card' }, '/number', 'value_error.not_found'],
    ['a card that is expired', { pin: 'refuse expired_card' }, '/number', 'value_error.expired'],
    ['a card whose date has passed', { pin: 'past' }, '/number', 'value_error.expired'],
    ['a card that is not active', { pin: 'refuse inactive_card' }, '/number', 'value_error.conflict'],
  ])('%s', async (_name, body, pointer, type) => {
    const before = await vaultItems()

    expect(complaintsOf(await create(body))).toEqual([[pointer, type]])
    expect(await vaultItems()).toBe(before)
  })

  test('a card with the code of the service, without the number', async () => {
    const number = freshNumber()

    const refused = await create({ number, pin: 'refuse inactive_card' })
    const troubled = await create({ number, pin: 'refuse service_error' })

    expect(refused.json().details[0].message).toBe('the gift card service refuses: inactive_card')
    expect(troubled.statusCode).toBe(400)
    expect(troubled.json().message).toBe('The gift card service refuses: service_error.')
    expect(`${refused.body}${troubled.body}`).not.toContain(number)
  })

  test('both ways to name a buyer at once', async () => {
    const both = { buyer_id: buyerId, buyer_external_identifier: `buyer-${buyers}` }

    expect(complaintsOf(await create(both))).toEqual([['/buyer_external_identifier', 'value_error.conflict']])
  })

  test('a card where no gift card service is active', async () => {
    const response = await create({}, { account: 'without' })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(
      'Activate a gift card service first: this merchant account has none.',
    )
  })

  test.each(['stall', 'break'])('when the service does not answer as it should: %s', async (pin) => {
    const [body, options] = [
      { number: freshNumber(), pin },
      { headers: { 'idempotency-key': crypto.randomUUID() } },
    ]

    const response = await givingUp(service, () => create(body, options))
    const again = await givingUp(service, () => create(body, options))

    expect([response.statusCode, again.statusCode]).toEqual([504, 504])
    expect(response.json().details[0].message).toBe('The gift card service did not answer.')
    expect(response.headers['retry-after']).toBe('5')
  })

  test('a card that the buyer already has, with its id', async () => {
    const number = freshNumber()
    const { id } = await shop.store({ number, buyer_id: buyerId })

    const twin = await create({ number, pin: 'holds 1', buyer_id: buyerId })

    expect(twin.statusCode).toBe(409)
    expect(twin.json()).toMatchObject({
      resource_id: id,
      details: [{ pointer: '/number', type: 'value_error.duplicate' }],
    })
    await shop.store({ number })
    await shop.store({ number, buyer_id: await shop.buyer(`other-${buyers}`) })
    await shop.send(`DELETE /gift-cards/${id}`)
    await shop.store({ number, buyer_id: buyerId })
  })

  test('all but one of ten equal cards at once', async () => {
    const body = { number: freshNumber(), buyer_id: buyerId }

    const responses = await Promise.all(Array.from({ length: 10 }, () => create(body)))

    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('an eleventh card of a buyer, also when twelve come at once', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => create({ buyer_id: buyerId })))

    const refused = responses.filter(({ statusCode }) => statusCode !== 201)
    expect(refused).toHaveLength(2)
    for (const response of refused) {
      expect(complaintsOf(response)).toEqual([['/buyer_id', 'value_error.list.max_items']])
    }
  })
})

describe('a browser token', () => {
  test('stores for the buyer it pins', async () => {
    const token = await shop.embed({ buyer_id: buyerId })

    const response = await create({}, { token })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json().buyer.id).toBe(buyerId)
  })

  test('stores for no other buyer', async () => {
    const other = await shop.buyer(`somebody-${buyers}`)
    const [pinned, free] = [await shop.embed({ buyer_id: buyerId }), await shop.embed()]

    const contradicting = await create({ buyer_id: other }, { token: pinned })
    const unpinned = await create({ buyer_id: other }, { token: free })

    expect(complaintsOf(contradicting)).toEqual([['/buyer_id', 'value_error.conflict']])
    expect(unpinned.statusCode).toBe(403)
  })

  test('may try 50 times a minute, balances, activations and payments included', async () => {
    const token = await shop.embed()
    const routes = [
      'POST /gift-cards',
      'POST /gift-cards/balances',
      'POST /gift-cards/activations',
      'POST /transactions',
    ]

    const statuses: number[] = []
    for (let tries = 0; tries < 50; tries += 1) {
      statuses.push((await shop.send(routes[tries % 4] ?? '', {}, { token })).statusCode)
    }
    const over = await Promise.all(routes.map((route) => shop.send(route, {}, { token })))

    expect(new Set(statuses)).toEqual(new Set([400]))
    expect(over.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429, 429])
    expect(over[0]?.headers['retry-after']).toMatch(/^\d+$/)
    expect((await create()).statusCode).toBe(201)
    expect((await create({}, { token: await shop.embed({ buyer_id: buyerId }) })).statusCode).toBe(201)
  })
})

test('numbers and PINs are only in the vault’s tables, and not in the clear', async () => {
  const card = { number: '6060601234567890123', pin: 'holds 31337 canary' }
  const options = { headers: { 'idempotency-key': 'store-the-canary' } }
  const stored = (await create({ ...card, buyer_id: buyerId }, options)).json()
  await create({ ...card, buyer_id: buyerId })
  await create({ ...card, pin: 'echo canary' })
  await shop.send(
    'POST /gift-cards/balances',
    { items: [card] },
    { headers: { 'idempotency-key': 'balance' } },
  )
  await shop.send('POST /gift-cards/balances', { items: [{ id: stored.id }] })
  await shop.send('POST /gift-cards/activations', { ...card, store: true })
  const stalled = { ...card, pin: 'stall canary', store: true }
  await givingUp(service, () => shop.send('POST /gift-cards/activations', stalled))

  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'vault')
  `.execute(service.context.db)
  let searched = 0
  for (const { name } of tables.rows) {
    const rows = await sql
      .raw<{ row: string }>(`select t::text as row from ${name} as t`)
      .execute(service.context.db)
    const text = rows.rows.map(({ row }) => row).join('\n')
    searched += rows.rows.length
    for (const secret of [card.number, card.pin, 'canary', 'canary-key-of-a-provider']) {
      expect(text, name).not.toContain(secret)
      expect(text, name).not.toContain(Buffer.from(secret).toString('hex'))
    }
  }
  expect(searched).toBeGreaterThan(50)
})
