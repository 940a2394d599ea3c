import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { BalanceAnswer } from '#connectors/contract/gift-card.ts'
import { MISSING } from '#testing/answers.ts'
import { complaintsOf, freshNumber, type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { givingUp, waitingOnly } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { EXPIRES_AT, testGiftCard } from '#testing/test-gift-card-connector.ts'

let service: TestService
let shop: GiftCardShop
let other: GiftCardShop
beforeAll(async () => {
  service = await startTestService()
  shop = await openGiftCardShop(service)
  other = await openGiftCardShop(service, 'other-gifts')
  await service.send('POST /merchant-accounts', { id: 'without', display_name: 'Without' })
})
afterAll(() => service.close())

const check = (items: unknown, options = {}) => shop.send('POST /gift-cards/balances', { items }, options)
const typed = (pin = 'holds 500') => ({ number: freshNumber(), pin })

async function audited(): Promise<string[]> {
  const rows = await service.context.db
    .selectFrom('audit_logs')
    .select('action')
    .where('resource_type', '=', 'gift-card')
    .execute()
  return rows.map(({ action }) => action)
}

test('answers in the order of the request, stored cards and others mixed', async () => {
  const buyerId = await shop.buyer('mixer')
  const stored = await shop.store({ number: '4123455541234561234', pin: 'holds 300', buyer_id: buyerId })

  const response = await check([
    { number: '6060600000000000', pin: 'holds 200' },
    { id: stored.id.toUpperCase() },
    { number: '6060600000000000001', pin: 'holds 0' },
  ])

  expect(response.statusCode, response.body).toBe(200)
  const common = {
    type: 'gift-card',
    merchant_account_id: 'gifts',
    currency: 'USD',
    expiration_date: EXPIRES_AT,
    balance_error_code: null,
    balance_raw_error_code: null,
    balance_raw_error_message: null,
    usage_count: 0,
    last_used_at: null,
    cit_usage_count: 0,
    cit_last_used_at: null,
  }
  expect(response.json()).toEqual({
    items: [
      { ...common, id: null, bin: '606060', sub_bin: '000', last4: '0000', balance: 200 },
      { ...common, id: stored.id, bin: '412345', sub_bin: '554', last4: '1234', balance: 300 },
      { ...common, id: null, bin: '606060', sub_bin: '000', last4: '0001', balance: 0 },
    ],
  })
})

test('a missing balance is explained with its card, and the others are answered', async () => {
  const cards = [
    typed('refuse expired_card'),
    typed('refuse inactive_card'),
    typed('stall'),
    typed('break'),
    typed('holds 7'),
  ]

  const response = await givingUp(service, () => check(cards))

  expect(response.statusCode, response.body).toBe(200)
  expect(
    response
      .json()
      .items.map((item: Record<string, unknown>) => [
        item['balance'],
        item['currency'],
        item['balance_error_code'],
        item['balance_raw_error_code'],
        item['balance_raw_error_message'],
      ]),
  ).toEqual([
    [null, null, 'expired_card', 'E42', 'no: expired_card'],
    [null, null, 'inactive_card', 'E42', 'no: inactive_card'],
    [null, null, 'service_network_error', null, null],
    [null, null, 'service_network_error', null, null],
    [7, 'USD', null, null, null],
  ])
})

test('cards are asked about at the same time', async () => {
  const answer = Promise.withResolvers<BalanceAnswer>()
  const asked = vi.spyOn(testGiftCard, 'balance').mockReturnValue(answer.promise)
  onTestFinished(() => asked.mockRestore())

  const checking = waitingOnly(service, 60_000, () => check(Array.from({ length: 10 }, () => typed())))
  await expect.poll(() => asked.mock.calls).toHaveLength(10)
  answer.resolve({ outcome: 'known', balance: 7, currency: 'USD', expiresAt: EXPIRES_AT })

  expect((await checking).json().items).toMatchObject(Array.from({ length: 10 }, () => ({ balance: 7 })))
})

test('the answer does not repeat a card number from the service', async () => {
  const card = typed('echo me')

  const response = await check([card])

  expect(response.json().items[0].balance_raw_error_message).toBe('no card *** with PIN ***')
})

test('opening a stored card is in the audit log, a typed one is not', async () => {
  const stored = await shop.store()
  const before = (await audited()).length

  await check([typed()])
  const afterTyped = (await audited()).length
  await check([{ id: stored.id }])

  expect(afterTyped).toBe(before)
  expect((await audited()).slice(before)).toEqual(['revealed'])
})

describe('refuses', () => {
  test.each([
    ['no card', [], [['/items', 'value_error.list.min_items']]],
    [
      'eleven cards',
      Array.from({ length: 11 }, () => ({ number: '6060600000000000', pin: '1' })),
      [['/items', 'value_error.list.max_items']],
    ],
    ['what is no list', {}, [['/items', 'type_error.array']]],
    ['what is no card', ['6060600000000000'], [['/items/0', 'type_error.object']]],
    [
      'an empty card',
      [{}],
      [
        ['/items/0/number', 'value_error.missing'],
        ['/items/0/pin', 'value_error.missing'],
      ],
    ],
    [
      'a number of 15 digits',
      [{ number: '606060000000000', pin: '1' }],
      [['/items/0/number', 'value_error.any_str.min_length']],
    ],
    [
      'a number of 20 digits',
      [{ number: '60606000000000000000', pin: '1' }],
      [['/items/0/number', 'value_error.any_str.max_length']],
    ],
    [
      'an empty PIN',
      [{ number: '6060600000000000', pin: '' }],
      [['/items/0/pin', 'value_error.any_str.min_length']],
    ],
    ['an id that is none', [{ id: '1' }], [['/items/0/id', 'type_error.uuid']]],
    ['an id with a PIN', [{ id: MISSING, pin: '1' }], [['/items/0/pin', 'value_error.extra']]],
    ['a card that is not stored', [{ id: MISSING }], [['/items/0/id', 'value_error.not_found']]],
  ])('%s', async (_name, items, complaints) => {
    expect(complaintsOf(await check(items))).toEqual(complaints)
  })

  test('a card twice, also once stored and once by its number', async () => {
    const card = typed()
    const mine = await shop.store({ ...card, buyer_id: await shop.buyer('one') })
    const yours = await shop.store({ ...card, buyer_id: await shop.buyer('two') })
    const twin = (index: number) => [[`/items/${index}`, 'value_error.duplicate']]

    expect(complaintsOf(await check([card, typed(), card]))).toEqual(twin(2))
    expect(complaintsOf(await check([card, { ...card, pin: 'another' }]))).toEqual(twin(1))
    expect(complaintsOf(await check([{ id: mine.id }, { id: mine.id.toUpperCase() }]))).toEqual(twin(1))
    expect(complaintsOf(await check([{ id: mine.id }, typed(), card]))).toEqual(twin(2))
    expect(complaintsOf(await check([{ id: mine.id }, { id: yours.id }]))).toEqual(twin(1))
  })

  test('a card that is another merchant’s, or was deleted, as unknown', async () => {
    const foreign = await other.store()
    const deleted = await shop.store()
    await shop.send(`DELETE /gift-cards/${deleted.id}`)

    const response = await check([{ id: foreign.id }, typed(), { id: deleted.id }])

    expect(complaintsOf(response)).toEqual([
      ['/items/0/id', 'value_error.not_found'],
      ['/items/2/id', 'value_error.not_found'],
    ])
  })

  test('cards where no gift card service is active', async () => {
    const response = await check([typed()], { account: 'without' })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(
      'Activate a gift card service first: this merchant account has none.',
    )
  })
})

describe('a browser token', () => {
  test('sees its own buyer’s cards, by either name of the buyer, and typed ones', async () => {
    const buyerId = await shop.buyer('own')
    const { id } = await shop.store({ buyer_id: buyerId })
    const tokens = [
      await shop.embed({ buyer_id: buyerId }),
      await shop.embed({ buyer_external_identifier: 'own' }),
    ]

    for (const token of tokens) {
      const response = await check([{ id }, typed()], { token })
      expect(response.statusCode, response.body).toBe(200)
    }
    expect((await check([typed()], { token: await shop.embed() })).statusCode).toBe(200)
  })

  test('does not see another buyer’s cards, or those without a buyer', async () => {
    const buyerId = await shop.buyer('curious')
    const theirs = await shop.store({ buyer_id: await shop.buyer('private') })
    const unowned = await shop.store()
    const missing = (index: number) => [`/items/${index}/id`, 'value_error.not_found']

    const pinned = await check([{ id: theirs.id }, { id: unowned.id }], {
      token: await shop.embed({ buyer_id: buyerId }),
    })
    const unpinned = await check([{ id: theirs.id }], { token: await shop.embed() })

    expect(complaintsOf(pinned)).toEqual([missing(0), missing(1)])
    expect(complaintsOf(unpinned)).toEqual([missing(0)])
  })
})

test('a stored card is sent only to the service that it was stored with', async () => {
  const third = await openGiftCardShop(service, 'third-gifts')
  const { id } = await third.store()
  await third.send(`PUT /gift-card-services/${third.serviceId}`, { active: false })
  await third.send('POST /gift-card-services', {
    display_name: 'New provider',
    gift_card_service_definition_id: 'plain-gift-card',
    fields: [],
  })

  const response = await third.send('POST /gift-cards/balances', { items: [{ id }, typed()] })

  const [stored, other] = response.json().items
  expect(stored).toMatchObject({ balance: null, balance_error_code: 'invalid_service_configuration' })
  expect(other).toMatchObject({ balance: 500 })
})
