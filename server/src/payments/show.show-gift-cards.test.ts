import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type GiftCardCounter,
  giftCardWith,
  openGiftCardCounter,
  refusedGiftCard,
} from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
let counter: GiftCardCounter
const ids: Record<string, string> = {}
let stored: string
let last4: string
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  const [typed, kept] = [giftCardWith(5000), giftCardWith(5000)]
  stored = await counter.store(kept)
  last4 = typed.number.slice(-4)
  const note = async (name: string, paid: Promise<{ id: string }>) => {
    ids[name] = (await paid).id
  }
  await note('a card', counter.pay([], { amount: 100, intent: 'capture' }))
  await note('typed', counter.pay([{ ...typed, amount: 100 }]))
  await note('stored', counter.pay([{ id: stored, amount: 100 }]))
  await note(
    'both and a card',
    counter.pay(
      [
        { ...typed, amount: 100 },
        { id: stored, amount: 100 },
      ],
      { amount: 1000, intent: 'capture' },
    ),
  )
  await note(
    'undone',
    counter.pay([
      { id: stored, amount: 100 },
      { ...refusedGiftCard(1), amount: 100 },
    ]),
  )
  await note('declined', counter.pay([{ id: stored, amount: 100 }], { amount: 200_111 }))
})
afterAll(() => service.close())

const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id)
const found = async (query: string) => {
  const response = await counter.send(`GET /transactions?limit=50&${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items.map(({ id }: { id: string }) => nameOf(id))
}
const idOf = (name: string) => ids[name] ?? ''

describe('the list of payments', () => {
  test.each([
    ['has_gift_card_redemptions=true', ['declined', 'undone', 'both and a card', 'stored', 'typed']],
    ['has_gift_card_redemptions=false', ['a card']],
    ['method=gift-card', ['undone', 'stored', 'typed']],
    ['has_gift_card_redemptions=true&status=capture_succeeded', ['both and a card', 'stored', 'typed']],
  ])('finds those with %s', async (query, names) => {
    expect(await found(query)).toEqual(names)
  })

  test('finds payments by a stored gift card or its last digits', async () => {
    expect(await found(`gift_card_id=${stored}`)).toEqual(['declined', 'undone', 'both and a card', 'stored'])
    expect(await found(`gift_card_id=${stored.toUpperCase()}`)).toHaveLength(4)
    expect(await found(`gift_card_last4=${last4}`)).toEqual(['both and a card', 'typed'])
    expect(await found(`gift_card_id=${stored}&gift_card_last4=${last4}`)).toEqual(['both and a card'])
    expect(await found(`gift_card_id=${idOf('typed')}`)).toEqual([])
    expect(await found('gift_card_last4=0000')).toEqual([])
  })

  test('shows the gift cards of each, and their service', async () => {
    const { items } = (await counter.send('GET /transactions?limit=50')).json()

    for (const item of items) {
      const whole = await counter.get(item.id)
      expect(item.gift_card_redemptions).toEqual(whole.gift_card_redemptions)
      expect(item.gift_card_service).toEqual(whole.gift_card_service)
    }
    const [both] = items.filter(({ id }: { id: string }) => id === ids['both and a card'])
    expect(both.gift_card_redemptions).toMatchObject([
      { gift_card: { id: null, last4 } },
      { gift_card: { id: stored } },
    ])
    const [card] = items.filter(({ id }: { id: string }) => id === ids['a card'])
    expect([card.gift_card_redemptions, card.gift_card_service]).toEqual([[], null])
  })

  test('finds refunded payments, also those whose refunds went to gift cards', async () => {
    const { gift_card_redemptions } = await counter.get(idOf('typed'))
    const before = await found('has_refunds=true')
    await counter.act(idOf('typed'), 'refunds', {
      target_type: 'gift-card-redemption',
      target_id: gift_card_redemptions[0].id,
      amount: 1,
    })
    await counter.act(idOf('a card'), 'refunds', { amount: 1 })

    expect(before).toEqual([])
    expect(await found('has_refunds=true')).toEqual(['typed', 'a card'])
    expect(await found('has_refunds=false')).toEqual(['declined', 'undone', 'both and a card', 'stored'])
  })

  test('does not show another merchant’s', async () => {
    await counter.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })

    const response = await counter.send(`GET /transactions?gift_card_id=${stored}`, undefined, {
      account: 'other',
    })

    expect(response.json().items).toEqual([])
  })
})

test.each([
  ['typed', false],
  ['stored', false],
  ['both and a card', true],
  ['undone', true],
  ['declined', true],
  ['a card', false],
])('a payment with %s is one of several tenders: %s', async (name, isMulti) => {
  expect((await counter.get(idOf(name))).multi_tender).toBe(isMulti)
})

test('a deleted service still shows its name', async () => {
  await counter.send('POST /merchant-accounts', { id: 'closed', display_name: 'Closed' })
  const account = { account: 'closed' }
  const made = await counter.send(
    'POST /gift-card-services',
    {
      display_name: 'Gone by now',
      gift_card_service_definition_id: 'mock-gift-card',
      fields: [{ key: 'api_key', value: 'gone' }],
    },
    account,
  )
  const paid = await counter.pay([{ ...giftCardWith(500), amount: 100 }], {}, account)
  await counter.send(`DELETE /gift-card-services/${made.json().id}`, undefined, account)

  const shown = (await counter.send(`GET /transactions/${paid.id}`, undefined, account)).json()

  expect(shown.gift_card_service).toMatchObject({ id: made.json().id, display_name: 'Gone by now' })
})

test('subscribers are told that gift cards have paid', async () => {
  const { rows } = await service.database.pool.query(
    `select target->>'has_gift_card_redemptions' as has from events where target_id = $1`,
    [idOf('both and a card')],
  )

  expect(new Set(rows.map(({ has }) => has))).toEqual(new Set(['true']))
})
