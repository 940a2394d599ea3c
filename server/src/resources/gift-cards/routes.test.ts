import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaintsAbout } from '#platform/http/validation.ts'
import { complaintsOf, type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { giftCardBalanceRoutes } from './routes.ts'
import * as giftCards from './store.ts'
import * as uses from './uses/store.ts'

describe('gift cards', () => {
  let service: TestService
  let shop: GiftCardShop
  let other: GiftCardShop
  beforeAll(async () => {
    service = await startTestService()
    shop = await openGiftCardShop(service)
    other = await openGiftCardShop(service, 'other-gifts')
  })
  afterAll(() => service.close())

  const idsIn = (response: { json: () => { items: { id: string }[] } }) =>
    response.json().items.map(({ id }) => id)

  describe('the list', () => {
    test('is newest first, page by page, and filtered by buyer', async () => {
      const buyerId = await shop.buyer('lister')
      const first = await shop.store({ buyer_id: buyerId })
      const second = await shop.store({ buyer_id: buyerId })
      const third = await shop.store()

      const page = await shop.send('GET /gift-cards?limit=2')
      const next = await shop.send(`GET /gift-cards?limit=2&cursor=${page.json().next_cursor}`)
      const byId = await shop.send(`GET /gift-cards?buyer_id=${buyerId}`)
      const byReference = await shop.send('GET /gift-cards?buyer_external_identifier=lister')

      expect(idsIn(page)).toEqual([third.id, second.id])
      expect(idsIn(next)).toEqual([first.id])
      expect(idsIn(byId)).toEqual([second.id, first.id])
      expect(byId.json().items[0]).toEqual(second)
      expect(idsIn(byReference)).toEqual([second.id, first.id])
    })

    test('of all accounts has the cards of all', async () => {
      const [own, foreign] = [await shop.store(), await other.store()]

      const everywhere = idsIn(await shop.send('GET /gift-cards', undefined, { account: '*' }))

      expect(everywhere.slice(0, 2)).toEqual([foreign.id, own.id])
      expect(idsIn(await other.send('GET /gift-cards'))).toEqual([foreign.id])
    })

    test.each([
      ['buyer_id=nobody', '/buyer_id'],
      ['limit=101', '/limit'],
      ['cursor=x', '/cursor'],
    ])('refuses %s', async (query, pointer) => {
      expect(complaintsOf(await shop.send(`GET /gift-cards?${query}`))).toEqual([
        [pointer, expect.any(String)],
      ])
    })
  })

  describe('a deleted card', () => {
    test('is gone, and number and PIN with it', async () => {
      const { id } = await shop.store()
      const before = await giftCards.find(shop.scope, id)
      const tokens = [before?.number_token, before?.pin_token].map(String)

      const response = await shop.send(`DELETE /gift-cards/${id}`)

      expect(response.statusCode).toBe(204)
      expect((await shop.send(`GET /gift-cards/${id}`)).statusCode).toBe(404)
      expect((await shop.send(`DELETE /gift-cards/${id}`)).statusCode).toBe(404)
      expect(idsIn(await shop.send('GET /gift-cards'))).not.toContain(id)
      for (const token of tokens) {
        const access = { ...shop.scope, token, purpose: 'test', onReveal: async () => {} }
        const opened = service.vault.reveal(service.context.db, access, async () => {})
        await expect(opened).rejects.toThrow('no such item')
      }
    })

    test('is told to subscribers once', async () => {
      const { id } = await shop.store()

      await Promise.all([1, 2, 3].map(() => shop.send(`DELETE /gift-cards/${id}`)))

      const events = await service.context.db
        .selectFrom('events')
        .select('name')
        .where('target_id', '=', id)
        .orderBy('id')
        .execute()
      expect(events.map(({ name }) => name)).toEqual(['gift-card.created', 'gift-card.deleted'])
    })

    test('is not deleted by another account', async () => {
      const { id } = await shop.store()

      expect((await other.send(`DELETE /gift-cards/${id}`)).statusCode).toBe(404)
      expect((await shop.send(`GET /gift-cards/${id}`)).statusCode).toBe(200)
    })
  })

  test('a card outlives its buyer and its service', async () => {
    const third = await openGiftCardShop(service, 'third-gifts')
    const buyerId = await third.buyer('short-lived')
    const { id } = await third.store({ buyer_id: buyerId })

    await third.send(`DELETE /buyers/${buyerId}`)
    await third.send(`DELETE /gift-card-services/${third.serviceId}`)

    const card = (await third.send(`GET /gift-cards/${id}`)).json()
    expect(card).toMatchObject({ buyer: null, gift_card_service: { id: third.serviceId } })
  })

  test('uses are counted, before and after they are added up', async () => {
    const { id } = await shop.store()
    const record = (isClientInitiated: boolean) =>
      service.context.db
        .transaction()
        .execute((db) => uses.record({ ...service.context, db }, { giftCardId: id, isClientInitiated }))
    await record(true)
    await record(false)

    const before = (await shop.send(`GET /gift-cards/${id}`)).json()
    await uses.addUpUses(service.context)
    const after = (await shop.send(`GET /gift-cards/${id}`)).json()

    expect(before).toMatchObject({ usage_count: 2, cit_usage_count: 1 })
    expect(before.last_used_at >= before.cit_last_used_at).toBe(true)
    expect(after).toEqual(before)
    const left = await service.context.db.selectFrom('gift_card_uses').select('id').execute()
    expect(left).toEqual([])
  })
})

describe('balances', () => {
  const cards = (count: number) => ({
    items: Array.from({ length: count }, (_, index) => ({
      number: `41234555412345612${10 + index}`,
      pin: '01000',
    })),
  })

  test.each([
    [{ giftCardBalancesMax: 2 }, 2],
    [{ giftCardBalancesMax: 25 }, 25],
    [{}, 10],
  ])('with %j, %d cards can be asked about at once', (settings, most) => {
    const [operation] = giftCardBalanceRoutes(settings as never)
    const body = operation?.body
    if (!body) throw new Error('the operation has no body')

    expect(complaintsAbout('body', body, cards(most))).toEqual([])
    expect(complaintsAbout('body', body, cards(most + 1))).toMatchObject([
      { type: 'value_error.list.max_items' },
    ])
  })
})
