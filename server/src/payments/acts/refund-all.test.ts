import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let counter: GiftCardCounter
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  counter = openGiftCardCounter(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const refundAll = (id: string, body?: object, options = {}) => till.act(id, 'refunds/all', body, options)
const pay = (body: object = {}, options = {}) => till.pay({ intent: 'capture', ...body }, options)

describe('refunding all', () => {
  test('needs no body', async () => {
    const { id } = await pay()

    const response = await refundAll(id)

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      items: [{ type: 'refund', transaction_id: id, amount: 1000, status: 'succeeded', reason: null }],
      next_cursor: null,
      previous_cursor: null,
    })
    expect(await till.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(await till.books(id)).toMatchObject({ refunded: 1000 })
  })

  test('takes a reason and a reference', async () => {
    const { id } = await pay()

    const response = await refundAll(id, { reason: 'Cancelled', external_identifier: 'return-1' })

    expect(response.json().items).toMatchObject([{ reason: 'Cancelled', external_identifier: 'return-1' }])
  })

  test('gives back what earlier refunds left', async () => {
    const { id } = await pay()
    await till.act(id, 'refunds', { amount: 300 })

    const response = await refundAll(id, {})

    expect(response.json().items).toMatchObject([{ amount: 700 }])
    expect(await till.books(id)).toMatchObject({ refunded: 1000 })
  })

  test('when nothing is left, does nothing', async () => {
    const { id } = await pay()
    await refundAll(id)

    const response = await refundAll(id)

    expect(response.statusCode).toBe(201)
    expect(response.json()).toMatchObject({ items: [], next_cursor: null, previous_cursor: null })
  })

  test('that the processor refuses is told in the list', async () => {
    const { id } = await pay({ amount: 520002 })

    const response = await refundAll(id)

    expect(response.statusCode).toBe(201)
    expect(response.json().items).toMatchObject([{ status: 'declined', error_code: 'issuer_decline' }])
    expect(await till.get(id)).toMatchObject({ refunded_amount: 0 })
  })
})

describe('refunding all of a payment with a card and a gift card', () => {
  /** 300 are captured of the card's 700, and the gift card has paid 300. */
  async function payInParts() {
    const slow = await till.addService({ asynchronous: 'true' })
    const card = giftCardWith(500)
    const paid = await counter.pay([{ ...card, amount: 300 }], { amount: 1000, payment_service_id: slow.id })
    const capture = (amount: number) => till.act(paid.id, 'capture', { amount, final: false })
    const finish = (event: string, named: object = {}) =>
      till.notify(slow, {
        event,
        payment_service_transaction_id: paid.payment_service_transaction_id,
        ...named,
      })
    await capture(300)
    await finish('capture.succeeded')
    const refunds = async () => (await service.send(`GET /transactions/${paid.id}/refunds`)).json().items
    return {
      id: paid.id as string,
      card,
      redemption: paid.gift_card_redemptions[0].id,
      capture,
      finish,
      refunds,
    }
  }

  test('refunds nothing while another capture is on its way', async () => {
    const { id, card, capture, finish, refunds } = await payInParts()
    await capture(200)

    const early = await refundAll(id)

    expect(early.statusCode).toBe(400)
    expect(early.json().message).toContain('its status is capture_pending')
    expect(await refunds()).toEqual([])
    expect(await till.books(id)).toMatchObject({ captured: 300, refunded: 0 })
    expect(await till.get(id)).toMatchObject({ status: 'capture_pending', refunded_amount: 0 })
    expect(await counter.balanceOf(card)).toBe(200)

    await finish('capture.succeeded')
    const inTime = await refundAll(id)
    const { payment_service_refund_id } = inTime.json().items[0]
    await finish('refund.succeeded', { payment_service_transaction_id: undefined, payment_service_refund_id })

    expect(inTime.statusCode, inTime.body).toBe(201)
    expect(inTime.json().items).toMatchObject([
      { target_type: 'payment-method', amount: 500, status: 'processing' },
      { target_type: 'gift-card-redemption', amount: 300, status: 'succeeded' },
    ])
    expect(await till.books(id)).toMatchObject({ captured: 500, refunded: 500 })
    expect(await counter.balanceOf(card)).toBe(500)
    expect(await giftCardDisagreements(service.database.pool)).toEqual([])
  })

  test('refunds nothing when the gift card service was deleted', async () => {
    const account = 'closing'
    await service.send('POST /merchant-accounts', { id: account, display_name: 'Closing' })
    await till.addService({}, { account })
    const made = await service.send(
      'POST /gift-card-services',
      {
        display_name: 'Closing',
        gift_card_service_definition_id: 'mock-gift-card',
        fields: [{ key: 'api_key', value: 'closing' }],
      },
      { account },
    )
    const gift_cards = [{ ...giftCardWith(500), amount: 300 }]
    const { id, gift_card_redemptions } = await pay({ gift_cards }, { account })
    const one = {
      target_type: 'gift-card-redemption',
      target_id: gift_card_redemptions[0].id,
      amount: 100,
    }

    const before = await till.act(id, 'refunds', one, { account })
    await service.send(`DELETE /gift-card-services/${made.json().id}`, undefined, { account })
    const after = await till.act(id, 'refunds', one, { account })
    const all = await refundAll(id, undefined, { account })
    const toCard = await till.act(id, 'refunds', {}, { account })

    const gone = [400, 'The gift card service that redeemed the gift card was deleted.']
    expect([before.statusCode, before.json().status]).toEqual([201, 'succeeded'])
    expect([after.statusCode, after.json().message]).toEqual(gone)
    expect([all.statusCode, all.json().message]).toEqual(gone)
    expect([toCard.statusCode, toCard.json().amount]).toEqual([201, 700])
    expect(await till.books(id)).toMatchObject({ captured: 700, refunded: 700 })
    expect(await giftCardDisagreements(service.database.pool)).toEqual([])
  })

  test('three times at once: each instrument is refunded once', async () => {
    const { id, card, refunds } = await payInParts()

    const answers = await Promise.all([refundAll(id), refundAll(id), refundAll(id)])

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    expect(answers.flatMap((answer) => answer.json().items)).toHaveLength(2)
    expect(await refunds()).toHaveLength(2)
    expect(await counter.balanceOf(card)).toBe(500)
  })
})

describe('refunding all is refused', () => {
  test.each([
    ['authorized', {}, 'authorization_succeeded'],
    ['declined', { amount: 200011 }, 'authorization_declined'],
  ])('of a payment that is %s', async (_name, body, status) => {
    const { id } = await till.pay(body)

    const response = await refundAll(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain(`its status is ${status}`)
  })

  test.each([
    ['an amount', { amount: 1 }, '/amount'],
    ['a long reason', { reason: 'x'.repeat(101) }, '/reason'],
    ['an empty reference', { external_identifier: '' }, '/external_identifier'],
  ])('with %s', async (_name, body, pointer) => {
    const { id } = await pay()

    const response = await refundAll(id, body)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer }])
  })

  test('for a missing payment, or one of another account', async () => {
    const { id } = await pay()

    expect((await refundAll(MISSING)).statusCode).toBe(404)
    expect((await refundAll(id, undefined, { account: 'other' })).statusCode).toBe(404)
  })

  test.each([
    [['transactions.write'], 403],
    [['gift-cards.write'], 403],
    [['transactions.read', 'gift-cards.read'], 403],
    [['transactions.write', 'gift-cards.write'], 201],
  ])('with the scopes %j: %i', async (scopes, status) => {
    const { id } = await pay()
    const token = await signToken(service.admin, { scopes })

    expect((await refundAll(id, undefined, { token })).statusCode).toBe(status)
  })
})

describe('at the same instant', () => {
  test.each([2, 10])('%i times: everything is refunded once', async (times) => {
    const { id } = await pay()

    const responses = await Promise.all(Array.from({ length: times }, () => refundAll(id)))

    const lists = responses.map((response) => response.json().items)
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(times).fill(201))
    expect(lists.flat()).toMatchObject([{ amount: 1000, status: 'succeeded' }])
    expect(await till.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(await till.books(id)).toMatchObject({ refunded: 1000 })
  })

  test('as a partial refund: everything is refunded', async () => {
    const { id } = await pay()

    const [part] = await Promise.all([till.act(id, 'refunds', { amount: 300 }), refundAll(id)])
    await refundAll(id)

    expect([201, 400]).toContain(part.statusCode)
    expect(await till.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(await till.books(id)).toMatchObject({ refunded: 1000 })
  })

  test('fifty times with one key: one refund, and one answer for all', async () => {
    const { id } = await pay()
    const options = { headers: { 'idempotency-key': 'refund-all-once' } }

    const responses = await Promise.all(Array.from({ length: 50 }, () => refundAll(id, undefined, options)))
    const later = await refundAll(id, undefined, options)

    const answered = responses.filter(({ statusCode }) => statusCode === 201)
    expect(responses.filter(({ statusCode }) => statusCode !== 201 && statusCode !== 409)).toEqual([])
    expect(new Set([...answered, later].map((response) => response.body))).toEqual(new Set([later.body]))
    expect(later.json().items).toHaveLength(1)
    expect(await till.books(id)).toMatchObject({ refunded: 1000 })
  })

  test('an empty answer is kept for its key, too', async () => {
    const { id } = await pay()
    const options = { headers: { 'idempotency-key': 'nothing-left' } }
    await refundAll(id)

    const first = await refundAll(id, undefined, options)
    const second = await refundAll(id, undefined, options)

    expect(first.json().items).toEqual([])
    expect(second.headers['idempotent-replayed']).toBe('true')
  })
})
