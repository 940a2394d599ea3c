import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import {
  complaintsOf,
  type GiftCardCounter,
  giftCardWith,
  openGiftCardCounter,
  refusedGiftCard,
} from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { expireAuthorizations } from '../acts/expire.ts'

let service: TestService
let counter: GiftCardCounter
let till: Till
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  till = openTill(service)
})
afterEach(async () => {
  expect(await giftCardDisagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

type Redemption = { readonly status: string; readonly amount: number; readonly refunded_amount: number }
const redemptionsOf = ({ gift_card_redemptions: all }: { gift_card_redemptions: Redemption[] }) =>
  all.map(({ status, amount, refunded_amount }) => [status, amount, refunded_amount])
const stepsOf = async (id: string) =>
  (await counter.attemptsOf(id)).map(({ kind, state }) => `${kind} ${state}`)

describe('gift cards that pay for everything', () => {
  test('are captured at once with any intent', async () => {
    const card = giftCardWith(1000)

    const paid = await counter.pay([{ ...card, amount: 700 }])

    expect(paid).toMatchObject({
      status: 'capture_succeeded',
      intent: 'authorize',
      intent_outcome: 'succeeded',
      amount: 700,
      authorized_amount: 0,
      captured_amount: 0,
      refunded_amount: 0,
      method: 'gift-card',
      payment_method: null,
      payment_service: null,
      instrument_type: null,
      multi_tender: false,
      error_code: null,
      captured_at: expect.any(String),
      gift_card_service: {
        type: 'gift-card-service',
        gift_card_service_definition_id: 'mock-gift-card',
      },
      gift_card_redemptions: [
        {
          type: 'gift-card-redemption',
          status: 'succeeded',
          amount: 700,
          refunded_amount: 0,
          gift_card_service_redemption_id: expect.any(String),
          error_code: null,
          raw_error_code: null,
          raw_error_message: null,
          gift_card: {
            type: 'gift-card',
            id: null,
            bin: card.number.slice(0, 6),
            sub_bin: card.number.slice(6, 9),
            last4: card.number.slice(-4),
          },
        },
      ],
    })
    expect(await counter.get(paid.id)).toEqual(paid)
    expect(await counter.balanceOf(card)).toBe(300)
    expect(await till.told(paid.id)).toEqual(['transaction.captured'])
    expect(await counter.history(paid.id)).toEqual([
      'gift-card-redemption-succeeded',
      'transaction-updated-status',
    ])
  })

  test('pay their parts in the given order', async () => {
    const cards = [giftCardWith(500), giftCardWith(300), giftCardWith(200)]
    const parts = [500, 1, 150]

    const paid = await counter.pay(
      cards.map((card, index) => ({ ...card, amount: parts[index] })),
      { intent: 'capture' },
    )

    expect(paid).toMatchObject({ status: 'capture_succeeded', amount: 651, multi_tender: true })
    expect(redemptionsOf(paid)).toEqual(parts.map((amount) => ['succeeded', amount, 0]))
    expect(paid.gift_card_redemptions.map((one: { gift_card: object }) => one.gift_card)).toMatchObject(
      cards.map(({ number }) => ({ last4: number.slice(-4) })),
    )
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([0, 299, 50])
    const books = await service.database.pool.query(
      `select amount::int from simulator.gift_card_entries where transaction_id = $1 order by created_at, attempt_id`,
      [paid.id],
    )
    expect(books.rows.map(({ amount }) => amount)).toEqual(parts)
  })

  test('can be ten', async () => {
    const cards = Array.from({ length: 10 }, () => giftCardWith(100))

    const paid = await counter.pay(cards.map((card) => ({ ...card, amount: 100 })))

    expect(paid).toMatchObject({ status: 'capture_succeeded', amount: 1000 })
    expect(redemptionsOf(paid)).toEqual(cards.map(() => ['succeeded', 100, 0]))
  })

  test('can be stored ones and others, and every use of a stored one counts', async () => {
    const [first, second] = [giftCardWith(500), giftCardWith(500)]
    const id = await counter.store(first)

    const paid = await counter.pay([
      { id: id.toUpperCase(), amount: 400 },
      { ...second, amount: 300 },
    ])

    expect(paid.status).toBe('capture_succeeded')
    expect(paid.gift_card_redemptions.map((one: { gift_card: object }) => one.gift_card)).toMatchObject([
      { id, last4: first.number.slice(-4) },
      { id: null, last4: second.number.slice(-4) },
    ])
    expect(await counter.balanceOf({ id })).toBe(100)
    expect((await counter.send(`GET /gift-cards/${id}`)).json()).toMatchObject({
      usage_count: 1,
      cit_usage_count: 1,
    })
  })

  test('keep the rest of their balance for the next payment', async () => {
    const card = giftCardWith(1000)
    await counter.pay([{ ...card, amount: 999 }])

    const tooMuch = await counter.pay([{ ...card, amount: 2 }])
    const rest = await counter.pay([{ ...card, amount: 1 }])

    expect([tooMuch.status, tooMuch.error_code]).toEqual(['authorization_failed', 'insufficient_funds'])
    expect(rest.status).toBe('capture_succeeded')
  })
})

describe('gift cards beside a card', () => {
  test('pay after it: what it holds is captured later', async () => {
    const card = giftCardWith(1000)

    const paid = await counter.pay([{ ...card, amount: 300 }], { amount: 1000 })
    const captured = (await counter.act(paid.id, 'capture', {})).json()

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      intent_outcome: 'succeeded',
      amount: 1000,
      authorized_amount: 700,
      captured_amount: 0,
      method: 'card',
      payment_method: { type: 'payment-method', method: 'card' },
      multi_tender: true,
    })
    expect(redemptionsOf(paid)).toEqual([['succeeded', 300, 0]])
    expect(captured).toMatchObject({ status: 'capture_succeeded', captured_amount: 700 })
    expect(redemptionsOf(captured)).toEqual([['succeeded', 300, 0]])
    expect(await till.books(paid.id)).toEqual({ authorized: 700, captured: 700, refunded: 0, voided: 0 })
    expect(await counter.balanceOf(card)).toBe(700)
    expect(await till.told(paid.id)).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ])
  })

  test('pay between its authorization and its capture', async () => {
    const cards = [giftCardWith(100), giftCardWith(200)]

    const paid = await counter.pay(
      [
        { ...cards[0], amount: 100 },
        { ...cards[1], amount: 200 },
      ],
      { amount: 1000, intent: 'capture' },
    )

    expect(paid).toMatchObject({
      status: 'capture_succeeded',
      amount: 1000,
      authorized_amount: 700,
      captured_amount: 700,
    })
    expect(await stepsOf(paid.id)).toEqual([
      'authorize approved',
      'redeem approved',
      'redeem approved',
      'capture approved',
    ])
    const { items } = (await counter.send(`GET /transactions/${paid.id}/captures`)).json()
    expect(items).toMatchObject([{ status: 'succeeded', amount: 700, final: true }])
  })

  test('pay at once with an asynchronous capture', async () => {
    const card = giftCardWith(1000)

    const paid = await counter.pay([{ ...card, amount: 300 }], {
      amount: 1000,
      intent: 'capture',
      async_capture: true,
    })
    const balance = await counter.balanceOf(card)
    await service.resolveDue()

    expect(paid).toMatchObject({ status: 'capture_pending', authorized_amount: 700, captured_amount: 0 })
    expect(redemptionsOf(paid)).toEqual([['succeeded', 300, 0]])
    expect(balance).toBe(700)
    expect(await counter.get(paid.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 700 })
  })

  test('pay nothing when it is declined', async () => {
    const cards = [giftCardWith(100), giftCardWith(200)]

    const paid = await counter.pay(
      [
        { ...cards[0], amount: 100 },
        { ...cards[1], amount: 200 },
      ],
      { amount: 200_311, intent: 'capture' },
    )

    expect(paid).toMatchObject({
      status: 'authorization_declined',
      error_code: 'insufficient_funds',
      intent_outcome: 'failed',
      authorized_amount: 0,
    })
    expect(redemptionsOf(paid)).toEqual([
      ['skipped', 100, 0],
      ['skipped', 200, 0],
    ])
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([100, 200])
    expect(await stepsOf(paid.id)).toEqual(['authorize declined'])
    expect(await till.told(paid.id)).toEqual(['transaction.declined'])
  })

  test('pay nothing when no payment service takes it', async () => {
    const card = giftCardWith(100)

    const paid = await counter.pay([{ ...card, amount: 100 }], {
      amount: 500,
      payment_method: {
        method: 'ideal',
        country: 'US',
        currency: 'USD',
        redirect_url: 'https://shop.example.com',
      },
    })

    expect([paid.status, paid.error_code]).toEqual(['authorization_failed', 'all_attempts_skipped'])
    expect(redemptionsOf(paid)).toEqual([['skipped', 100, 0]])
    expect(await counter.balanceOf(card)).toBe(100)
  })

  test('pay when a notification approves the rest', async () => {
    const card = giftCardWith(100)
    const asynchronous = await till.addService({ asynchronous: 'true' })

    const waiting = await counter.pay([{ ...card, amount: 100 }], {
      amount: 600_102,
      payment_service_id: asynchronous.id,
    })
    const before = await counter.balanceOf(card)
    await till.notify(asynchronous, {
      payment_service_transaction_id: waiting.payment_service_transaction_id,
      event: 'authorization.succeeded',
    })
    service.moveClock(60_000)
    await service.resolveDue()

    expect(waiting.status).toBe('processing')
    expect(redemptionsOf(waiting)).toEqual([['created', 100, 0]])
    expect(before).toBe(100)
    const paid = await counter.get(waiting.id)
    expect(paid).toMatchObject({ status: 'authorization_succeeded', authorized_amount: 600_002 })
    expect(redemptionsOf(paid)).toEqual([['succeeded', 100, 0]])
  })

  test('let the card be stored once all of them have paid', async () => {
    const good = { ...giftCardWith(100), amount: 100 }
    const bad = { ...refusedGiftCard(6), amount: 100 }
    const countCards = async () =>
      (await counter.send('GET /payment-methods?limit=100')).json().items.length as number
    const before = await countCards()

    const failed = await counter.pay([good, bad], { amount: 1000, store: true })
    const between = await countCards()
    const paid = await counter.pay([good], { amount: 1000, store: true })

    expect([failed.status, failed.payment_method.id]).toEqual(['authorization_failed', null])
    expect([paid.status, typeof paid.payment_method.id]).toEqual(['authorization_succeeded', 'string'])
    expect([between - before, (await countCards()) - before]).toEqual([0, 1])
    const { rows } = await service.database.pool.query('select 1 from transaction_cards')
    expect(rows).toEqual([])
  })

  test('pay beside the card of a checkout session', async () => {
    const { id: session } = (await counter.send('POST /checkout/sessions', {})).json()
    const typed = { number: CARD.number, expiration_date: '12/40', security_code: '737', method: 'card' }
    const put = await counter.send(
      `PUT /checkout/sessions/${session}/fields`,
      { payment_method: typed },
      { token: null },
    )
    expect(put.statusCode, put.body).toBe(204)
    const method = { method: 'checkout-session', id: session }
    const body = { amount: 1000, payment_method: method }

    const failed = await counter.pay([{ ...refusedGiftCard(1), amount: 300 }], body)
    const paid = await counter.pay([{ ...giftCardWith(300), amount: 300 }], body)
    const again = await counter.ask([{ ...giftCardWith(300), amount: 300 }], body)

    expect([failed.status, failed.error_code]).toEqual(['authorization_failed', 'expired_card'])
    expect(paid).toMatchObject({ status: 'authorization_succeeded', checkout_session_id: session })
    expect(redemptionsOf(paid)).toEqual([['succeeded', 300, 0]])
    expect(again.statusCode).toBe(400)
  })
})

describe('a correction by the merchant', () => {
  test.each([
    ['an amount below what gift cards pay', { amount: 299 }, '/amount', 'value_error.number.not_ge'],
    ['an amount below what all pay', { amount: 999 }, '/amount', 'value_error.number.not_ge'],
    [
      'more for the card than gift cards leave',
      { authorized_amount: 701 },
      '/authorized_amount',
      'value_error.number.not_le',
    ],
  ])('cannot be %s', async (_what, body, pointer, type) => {
    const paid = await counter.pay([{ ...giftCardWith(300), amount: 300 }], { amount: 1000 })

    const answer = await counter.send(`PUT /transactions/${paid.id}`, body)

    expect(complaintsOf(answer)).toEqual([[pointer, type]])
  })

  test('of metadata does not change gift cards', async () => {
    const paid = await counter.pay([{ ...giftCardWith(300), amount: 300 }])

    const answer = await counter.send(`PUT /transactions/${paid.id}`, { metadata: { shelf: 'B12' } })

    expect(answer.json()).toMatchObject({
      metadata: { shelf: 'B12' },
      gift_card_redemptions: paid.gift_card_redemptions,
    })
  })
})

describe('an authorization that expires', () => {
  test('refunds the gift cards, and cannot be reauthorized without them', async () => {
    const card = giftCardWith(300)
    const paid = await counter.pay([{ ...card, amount: 300 }], { amount: 1000, store: true })
    service.moveClock(8 * 24 * 3_600_000)

    await expireAuthorizations(service.context, service.engine)
    await service.resolveDue()
    const again = await counter.act(paid.id, 'capture', { reauthorize_if_authorization_expired: true })

    const expired = await counter.get(paid.id)
    expect(expired).toMatchObject({ status: 'authorization_voided', error_code: 'expired_authorization' })
    expect(redemptionsOf(expired)).toEqual([['succeeded', 300, 300]])
    expect(await counter.balanceOf(card)).toBe(300)
    expect(again.statusCode).toBe(400)
    expect(again.json().message).toContain('gift cards')
  })
})

describe('voiding', () => {
  test('refunds the gift cards', async () => {
    const cards = [giftCardWith(100), giftCardWith(200)]
    const paid = await counter.pay(
      [
        { ...cards[0], amount: 100 },
        { ...cards[1], amount: 150 },
      ],
      { amount: 1000 },
    )

    const voided = (await counter.act(paid.id, 'void')).json()

    expect(voided).toMatchObject({ status: 'authorization_voided', intent_outcome: 'succeeded' })
    expect(redemptionsOf(voided)).toEqual([
      ['succeeded', 100, 100],
      ['succeeded', 150, 150],
    ])
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([100, 200])
    expect(await till.books(paid.id)).toMatchObject({ authorized: 750, voided: 750 })
    expect(await stepsOf(paid.id)).toEqual([
      'authorize approved',
      'redeem approved',
      'redeem approved',
      'void approved',
      'reverse approved',
      'reverse approved',
    ])
    const history = await counter.history(paid.id)
    expect(history.filter((name) => name === 'gift-card-reversal-succeeded')).toHaveLength(2)
  })

  test('shows the gift cards in its report, also to a retry', async () => {
    const paid = await counter.pay([{ ...giftCardWith(100), amount: 100 }], { amount: 1000 })
    const headers = { prefer: 'resource=transaction-void', 'idempotency-key': paid.id }

    const first = await counter.act(paid.id, 'void', undefined, { headers })
    const again = await counter.act(paid.id, 'void', undefined, { headers })

    expect(first.json()).toMatchObject({ type: 'transaction-void', status: 'succeeded' })
    expect(redemptionsOf(first.json().transaction)).toEqual([['succeeded', 100, 100]])
    expect(again.json()).toEqual(first.json())
  })

  test('that is refused does not change the gift cards', async () => {
    const card = giftCardWith(100)
    const paid = await counter.pay([{ ...card, amount: 100 }], { amount: 510_102 })

    const refused = (await counter.act(paid.id, 'void')).json()

    expect(refused.status).toBe('authorization_succeeded')
    expect(redemptionsOf(refused)).toEqual([['succeeded', 100, 0]])
    expect(await counter.balanceOf(card)).toBe(0)
  })

  test('is refused for a payment of gift cards alone', async () => {
    const paid = await counter.pay([{ ...giftCardWith(100), amount: 100 }])

    const answers = [
      await counter.act(paid.id, 'void'),
      await counter.act(paid.id, 'capture', {}),
      await counter.act(paid.id, 'cancel'),
      await counter.act(paid.id, 'refunds', {}),
      await counter.act(paid.id, 'authorization/increment', { amount: 1 }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400])
  })
})

describe('a card that can pay only some of its part', () => {
  const PARTIAL = { amount: 600_501, allow_partial_authorization: true }

  test.each(['authorize', 'capture'])(
    'beside gift cards pays nothing, with the intent %s',
    async (intent) => {
      const card = giftCardWith(500)

      const paid = await counter.pay([{ ...card, amount: 500 }], { ...PARTIAL, intent })

      expect(paid).toMatchObject({
        status: 'authorization_declined',
        error_code: 'insufficient_funds',
        authorized_amount: 0,
      })
      expect(redemptionsOf(paid)).toEqual([['skipped', 500, 0]])
      expect(await counter.balanceOf(card)).toBe(500)
      expect(await till.books(paid.id)).toBeNull()
    },
  )

  test('is released if the processor approves less unasked', async () => {
    const connector = service.providers.connectors.find('mock-card')
    const able = connector?.authorize
    if (!connector || !able) throw new Error('there is no mock-card')
    Object.assign(connector, {
      authorize: (order: Parameters<typeof able>[0], link: Parameters<typeof able>[1]) =>
        able({ ...order, isPartialAllowed: true }, link),
    })
    const card = giftCardWith(500)

    const paid = await counter.pay([{ ...card, amount: 500 }], { ...PARTIAL, intent: 'capture' })

    Object.assign(connector, { authorize: able })
    expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'insufficient_funds' })
    expect(redemptionsOf(paid)).toEqual([['skipped', 500, 0]])
    expect(await counter.balanceOf(card)).toBe(500)
    expect(await till.books(paid.id)).toMatchObject({ authorized: 300_000, captured: 0, voided: 300_000 })
  })

  test('pays what it can without gift cards', async () => {
    const order = { ...PARTIAL, amount: 600_001, currency: 'USD', country: 'US', payment_method: CARD }

    const paid = (await counter.send('POST /transactions', order)).json()

    expect(paid).toMatchObject({ status: 'authorization_succeeded', authorized_amount: 300_000 })
  })
})
