import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as uses from '#resources/gift-cards/uses/store.ts'
import { MISSING } from '#testing/answers.ts'
import { complaintsOf, type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { givingUp } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { Masked } from '#vault'

let service: TestService
let shop: GiftCardShop
let count = 0
beforeAll(async () => {
  service = await startTestService()
  shop = await openGiftCardShop(service)
})
afterAll(() => service.close())

const list = (query: string, options = {}) => shop.send(`GET /buyers/gift-cards?${query}`, undefined, options)
const idsIn = (response: { json: () => { items: { id: string }[] } }) =>
  response.json().items.map(({ id }) => id)

async function newBuyer() {
  count += 1
  const reference = `buyer-${count}`
  return { buyerId: await shop.buyer(reference), reference }
}

/** Stores a card that is good now. From then on it has another PIN. */
async function storeThen(buyerId: string, pin: string): Promise<string> {
  const { id } = await shop.store({ buyer_id: buyerId })
  const { db } = service.context
  const token = await service.vault.store(db, shop.scope, 'gift-card-pin', new Masked(pin))
  await db.updateTable('gift_cards').set({ pin_token: token }).where('id', '=', id).execute()
  return id
}

describe('a buyer’s gift cards', () => {
  test('come with their balances, newest first', async () => {
    const { buyerId, reference } = await newBuyer()
    const first = await shop.store({ buyer_id: buyerId, pin: 'holds 100' })
    const second = await shop.store({ buyer_id: buyerId, pin: 'holds 200' })
    await shop.store()

    const byId = await list(`buyer_id=${buyerId}`)
    const byReference = await list(`buyer_external_identifier=${reference}`)

    expect(byId.statusCode, byId.body).toBe(200)
    expect(byId.json().items).toMatchObject([
      { type: 'gift-card', id: second.id, balance: 200, currency: 'USD', balance_error_code: null },
      { type: 'gift-card', id: first.id, balance: 100 },
    ])
    expect(byReference.json()).toEqual(byId.json())
    expect((await list(`buyer_id=${(await newBuyer()).buyerId}`)).json()).toEqual({ items: [] })
  })

  test('are sorted by use, the unused last', async () => {
    const { buyerId } = await newBuyer()
    const cards = [
      await shop.store({ buyer_id: buyerId }),
      await shop.store({ buyer_id: buyerId }),
      await shop.store({ buyer_id: buyerId }),
    ].map(({ id }) => id)
    const [often, never, once] = cards
    for (const giftCardId of [often, once, often]) {
      await service.context.db
        .transaction()
        .execute((db) =>
          uses.record({ ...service.context, db }, { giftCardId: giftCardId ?? '', isClientInitiated: true }),
        )
      service.moveClock(1_000)
    }

    const ordered = async (order: string) => idsIn(await list(`buyer_id=${buyerId}&${order}`))

    expect(await ordered('sort_by=usage_count')).toEqual([often, once, never])
    expect(await ordered('sort_by=usage_count&order_by=asc')).toEqual([never, once, often])
    expect(await ordered('sort_by=last_used_at')).toEqual([often, once, never])
    expect(await ordered('sort_by=cit_last_used_at&order_by=asc')).toEqual([once, often, never])
  })

  test('that are empty or expired are left out, and deleted', async () => {
    const { buyerId } = await newBuyer()
    const good = await shop.store({ buyer_id: buyerId })
    const useless = [
      await storeThen(buyerId, 'holds 0'),
      await storeThen(buyerId, 'refuse expired_card'),
      await storeThen(buyerId, 'past'),
    ]

    const response = await list(`buyer_id=${buyerId}`)

    expect(idsIn(response)).toEqual([good.id])
    for (const id of useless) expect((await shop.send(`GET /gift-cards/${id}`)).statusCode).toBe(404)
    const events = await service.context.db
      .selectFrom('events')
      .select('target_id')
      .where('name', '=', 'gift-card.deleted')
      .execute()
    expect(new Set(events.map(({ target_id }) => target_id))).toEqual(new Set(useless))
    expect(events).toHaveLength(useless.length)
  })

  test('without an available balance are listed', async () => {
    const { buyerId } = await newBuyer()
    await storeThen(buyerId, 'stall')
    await storeThen(buyerId, 'break')
    await storeThen(buyerId, 'refuse inactive_card')
    await storeThen(buyerId, 'refuse invalid_service_credentials')

    const { items } = (await givingUp(service, () => list(`buyer_id=${buyerId}`))).json()

    expect(
      items.map((item: Record<string, unknown>) => [item['balance'], item['balance_error_code']]),
    ).toEqual([
      [null, 'invalid_service_credentials'],
      [null, 'inactive_card'],
      [null, 'service_network_error'],
      [null, 'service_network_error'],
    ])
    expect(items[0].expiration_date).not.toBeNull()
  })

  test('are listed without an active gift card service', async () => {
    const third = await openGiftCardShop(service, 'third-gifts')
    const buyerId = await third.buyer('left-behind')
    const { id } = await third.store({ buyer_id: buyerId })
    await third.send(`PUT /gift-card-services/${third.serviceId}`, { active: false })

    const response = await third.send(`GET /buyers/gift-cards?buyer_id=${buyerId}`)

    expect(response.json().items).toMatchObject([
      { id, balance: null, balance_error_code: 'invalid_service_configuration' },
    ])
  })
})

test.each([
  ['no buyer', '', '/buyer_id', 'value_error.missing'],
  ['a buyer that is none', `buyer_id=${MISSING}`, '/buyer_id', 'value_error.not_found'],
  ['an odd order', 'buyer_external_identifier=x&order_by=up', '/order_by', 'type_error.enum'],
  ['an unknown way to sort', 'buyer_external_identifier=x&sort_by=balance', '/sort_by', 'type_error.enum'],
])('refuses %s', async (_name, query, pointer, type) => {
  expect(complaintsOf(await list(query))).toEqual([[pointer, type]])
})

test('another account’s buyer is not found', async () => {
  const other = await openGiftCardShop(service, 'other-gifts')
  const { buyerId } = await newBuyer()

  const response = await other.send(`GET /buyers/gift-cards?buyer_id=${buyerId}`)

  expect(complaintsOf(response)).toEqual([['/buyer_id', 'value_error.not_found']])
})

test('a browser token is refused', async () => {
  const { buyerId } = await newBuyer()

  const response = await list(`buyer_id=${buyerId}`, { token: await shop.embed({ buyer_id: buyerId }) })

  expect(response.statusCode).toBe(403)
})
