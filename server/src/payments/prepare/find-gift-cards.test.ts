import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { complaintsOf, type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

let service: TestService
let counter: GiftCardCounter
let ann: string
let bob: string
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  ann = (await counter.send('POST /buyers', { external_identifier: 'ann' })).json().id
  bob = (await counter.send('POST /buyers', { external_identifier: 'bob' })).json().id
})
afterEach(async () => {
  expect(await giftCardDisagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

/** Everything that a payment would leave behind. */
const traces = async () => {
  const { rows } = await service.database.pool.query(`
    select (select count(*) from transactions) as transactions,
      (select count(*) from gift_card_redemptions) as redemptions,
      (select count(*) from attempts) as attempts,
      (select count(*) from vault.items where field like 'gift-card%') as items,
      (select count(*) from simulator.gift_card_entries) as entries`)
  return rows[0]
}
const isRefused = async (asked: () => ReturnType<typeof counter.ask>, ...expected: [string, string][]) => {
  const before = await traces()
  const answer = await asked()
  expect(complaintsOf(answer)).toEqual(expected)
  expect(await traces()).toEqual(before)
}

describe('a gift card in a payment', () => {
  test.each([
    ['a number of 15 digits', { number: '4'.repeat(15) }, '/gift_cards/1/number', 'value_error.str.regex'],
    ['a number of 20 digits', { number: '4'.repeat(20) }, '/gift_cards/1/number', 'value_error.str.regex'],
    [
      'a number with spaces',
      { number: '4123 4555 4123 4561' },
      '/gift_cards/1/number',
      'value_error.str.regex',
    ],
    ['a number that is one', { number: 4123455541234561 }, '/gift_cards/1/number', 'type_error.string'],
    ['no number', { number: undefined }, '/gift_cards/1/number', 'value_error.missing'],
    ['no PIN', { pin: undefined }, '/gift_cards/1/pin', 'value_error.missing'],
    ['an empty PIN', { pin: '' }, '/gift_cards/1/pin', 'value_error.any_str.min_length'],
    ['a PIN without end', { pin: '0'.repeat(101) }, '/gift_cards/1/pin', 'value_error.any_str.max_length'],
    ['a PIN that is a number', { pin: 1000 }, '/gift_cards/1/pin', 'type_error.string'],
    ['no amount', { amount: undefined }, '/gift_cards/1/amount', 'value_error.missing'],
    ['an amount of 0', { amount: 0 }, '/gift_cards/1/amount', 'value_error.number.not_ge'],
    ['an amount of -1', { amount: -1 }, '/gift_cards/1/amount', 'value_error.number.not_ge'],
    ['an amount of 1.5', { amount: 1.5 }, '/gift_cards/1/amount', 'type_error.integer'],
    ['an amount in text', { amount: '100' }, '/gift_cards/1/amount', 'type_error.integer'],
    ['an amount of null', { amount: null }, '/gift_cards/1/amount', 'type_error.integer'],
    ['too great an amount', { amount: 100_000_000 }, '/gift_cards/1/amount', 'value_error.number.not_le'],
    ['an id and a number', { id: MISSING }, '/gift_cards/1/number', 'value_error.extra'],
    ['an unknown field', { currency: 'USD' }, '/gift_cards/1/currency', 'value_error.extra'],
  ])('cannot have %s', async (_what, over, pointer, type) => {
    const good = { ...giftCardWith(500), amount: 100 }
    const bad = { ...giftCardWith(500), amount: 100, ...over }

    const answer = await counter.ask([good, bad], { amount: 1000, payment_method: CARD })

    expect(complaintsOf(answer)).toContainEqual([pointer, type])
  })

  test.each([
    ['text', 'cards'],
    ['an object', {}],
    ['numbers', [1]],
    ['nothing', [null]],
  ])('is not %s', async (_what, gift_cards) => {
    const answer = await counter.ask([], { amount: 100, payment_method: CARD, gift_cards })

    expect(answer.statusCode).toBe(400)
  })

  test('may be left out', async () => {
    for (const gift_cards of [[], null]) {
      const answer = await counter.ask([], { amount: 100, payment_method: CARD, gift_cards })

      expect(answer.json()).toMatchObject({ status: 'authorization_succeeded', gift_card_redemptions: [] })
    }
    await isRefused(
      () => counter.ask([], { amount: 100, payment_method: undefined }),
      ['/payment_method', 'value_error.missing'],
    )
  })
})

describe('gift cards in a payment', () => {
  test('are at most ten', async () => {
    const cards = Array.from({ length: 11 }, () => ({ ...giftCardWith(500), amount: 1 }))

    await isRefused(() => counter.ask(cards), ['/gift_cards', 'value_error.list.max_items'])
  })

  test('must differ by number', async () => {
    const [one, other] = [giftCardWith(500), giftCardWith(500)]
    const cards = [one, other, { ...one, pin: '0999' }, other].map((card) => ({ ...card, amount: 1 }))

    await isRefused(
      () => counter.ask(cards),
      ['/gift_cards/2', 'value_error.duplicate'],
      ['/gift_cards/3', 'value_error.duplicate'],
    )
  })

  test('must differ, stored or not', async () => {
    const card = giftCardWith(500)
    const id = await counter.store(card)
    const twice = { id, amount: 1 }
    const typed = { ...card, amount: 1 }

    await isRefused(() => counter.ask([twice, typed]), ['/gift_cards/1', 'value_error.duplicate'])
    await isRefused(() => counter.ask([typed, twice]), ['/gift_cards/1', 'value_error.duplicate'])
    await isRefused(
      () => counter.ask([twice, { ...twice, id: id.toUpperCase() }]),
      ['/gift_cards/1', 'value_error.duplicate'],
    )
  })

  test.each([
    ['pay more than the amount', { amount: 199 }, '/gift_cards', 'value_error.number.not_le'],
    ['pay for nothing', { amount: 0 }, '/gift_cards', 'value_error.number.not_le'],
    [
      'leave a part of the amount unpaid',
      { amount: 201, payment_method: undefined },
      '/payment_method',
      'value_error.missing',
    ],
    [
      'leave nothing to the payment method',
      { amount: 200, payment_method: CARD },
      '/payment_method',
      'value_error.conflict',
    ],
  ])('do not %s', async (_what, body, pointer, type) => {
    const cards = [giftCardWith(500), giftCardWith(500)].map((card) => ({ ...card, amount: 100 }))

    await isRefused(() => counter.ask(cards, body), [pointer, type])
  })

  test('cannot be stored with the payment', async () => {
    await isRefused(
      () => counter.ask([{ ...giftCardWith(500), amount: 100 }], { store: true }),
      ['/store', 'value_error.conflict'],
    )
  })

  test('need a gift card service', async () => {
    await counter.send('POST /merchant-accounts', { id: 'bare', display_name: 'Bare' })
    const account = { account: 'bare' }

    await isRefused(
      () => counter.ask([{ ...giftCardWith(500), amount: 100 }], {}, account),
      ['/gift_cards', 'value_error.not_found'],
    )
  })
})

describe('a stored gift card', () => {
  const NOT_FOUND: [string, string] = ['/gift_cards/0/id', 'value_error.not_found']

  test.each([
    ['that does not exist', async () => MISSING],
    [
      'that was deleted',
      async () => {
        const id = await counter.store(giftCardWith(500))
        await counter.send(`DELETE /gift-cards/${id}`)
        return id
      },
    ],
    [
      'of another merchant',
      async () => {
        await counter.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
        const account = { account: 'other' }
        const made = await counter.send(
          'POST /gift-card-services',
          {
            display_name: 'Theirs',
            gift_card_service_definition_id: 'mock-gift-card',
            fields: [{ key: 'api_key', value: 'theirs' }],
          },
          account,
        )
        expect(made.statusCode, made.body).toBe(201)
        return counter.store(giftCardWith(500), account)
      },
    ],
  ])('%s is not found', async (_which, make) => {
    const id = await make()

    await isRefused(() => counter.ask([{ id, amount: 100 }]), NOT_FOUND)
  })

  test('must be named by a UUID', async () => {
    await isRefused(() => counter.ask([{ id: 'mine', amount: 100 }]), ['/gift_cards/0/id', 'type_error.uuid'])
  })

  test('belongs to the buyer who pays, or has no owner', async () => {
    const anns = await counter.store({ ...giftCardWith(500), buyer_id: ann })
    const unowned = await counter.store(giftCardWith(500))
    const cards = [
      { id: unowned, amount: 50 },
      { id: anns, amount: 50 },
    ]
    const conflict: [string, string] = ['/gift_cards/1/id', 'value_error.conflict']

    await isRefused(() => counter.ask(cards, { buyer_id: bob }), conflict)
    await isRefused(() => counter.ask(cards, { buyer_external_identifier: 'bob' }), conflict)
    const paid = await counter.pay(cards, { buyer_id: ann })

    expect(paid).toMatchObject({ status: 'capture_succeeded', buyer: { id: ann } })
  })

  test('must belong to the owner of the stored card beside it', async () => {
    const anns = await counter.store({ ...giftCardWith(500), buyer_id: ann })
    const method = { method: 'card', number: CARD.number, expiration_date: '12/40' }
    const stored = async (buyer_id: string) =>
      (await counter.send('POST /payment-methods', { ...method, buyer_id })).json().id as string
    const pay = (id: string) => ({ amount: 500, payment_method: { method: 'id', id } })
    const [hers, his] = [await stored(ann), await stored(bob)]

    await isRefused(
      () => counter.ask([{ id: anns, amount: 100 }], pay(his)),
      ['/gift_cards/0/id', 'value_error.conflict'],
    )
    const paid = await counter.pay([{ id: anns, amount: 100 }], pay(hers))

    expect(paid).toMatchObject({ status: 'authorization_succeeded', buyer: { id: ann } })
  })

  test('must not belong to another buyer than the next one', async () => {
    const anns = await counter.store({ ...giftCardWith(500), buyer_id: ann })
    const bobs = await counter.store({ ...giftCardWith(500), buyer_id: bob })

    await isRefused(
      () =>
        counter.ask([
          { id: anns, amount: 50 },
          { id: bobs, amount: 50 },
        ]),
      ['/gift_cards/1/id', 'value_error.conflict'],
    )
  })

  test('of a replaced service is not found', async () => {
    await counter.send('POST /merchant-accounts', { id: 'moving', display_name: 'Moving' })
    const account = { account: 'moving' }
    const open = async (value: string) =>
      (
        await counter.send(
          'POST /gift-card-services',
          {
            display_name: value,
            gift_card_service_definition_id: 'mock-gift-card',
            fields: [{ key: 'api_key', value }],
          },
          account,
        )
      ).json().id
    const old = await open('old')
    const id = await counter.store(giftCardWith(500), account)
    await counter.send(`DELETE /gift-card-services/${old}`, undefined, account)
    await open('new')

    await isRefused(() => counter.ask([{ id, amount: 100 }], {}, account), NOT_FOUND)
  })
})

describe('a page', () => {
  const page = async (pinned: object) => {
    const token = await signToken(service.admin, { scopes: ['embed'], embed: pinned })
    return { token }
  }

  test('pays with the stored gift cards of its own buyer, and with others that are typed', async () => {
    const anns = await counter.store({ ...giftCardWith(500), buyer_id: ann })
    const typed = { ...giftCardWith(500), amount: 100 }

    const paid = await counter.pay(
      [{ id: anns, amount: 400 }, typed],
      { amount: 1000 },
      await page({ buyer_id: ann, amount: 1000, currency: 'USD' }),
    )

    expect(paid).toMatchObject({ status: 'authorization_succeeded', buyer: { id: ann } })
    expect(await counter.balanceOf({ id: anns })).toBe(100)
  })

  test.each([
    ['another buyer', { buyer_external_identifier: 'bob' }],
    ['no buyer', {}],
  ])('for %s is told that there are no such gift cards', async (_whom, pinned) => {
    const anns = await counter.store({ ...giftCardWith(500), buyer_id: ann })
    const unowned = await counter.store(giftCardWith(500))
    const options = await page(pinned)

    for (const id of [anns, unowned, MISSING]) {
      await isRefused(
        () => counter.ask([{ id, amount: 100 }], {}, options),
        ['/gift_cards/0/id', 'value_error.not_found'],
      )
    }
  })

  test('pays the amount that its token pins', async () => {
    const options = await page({ amount: 1000, currency: 'USD' })

    await isRefused(
      () => counter.ask([{ ...giftCardWith(500), amount: 100 }], {}, options),
      ['/amount', 'value_error.conflict'],
    )
  })
})
