import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let counter: GiftCardCounter
let till: Till
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  till = openTill(service)
})
afterAll(() => service.close())

const complaint = (response: { json: () => { details: object[] } }) => response.json().details[0]

describe.each([
  ['without a type', {}],
  ['of the type payment-method', { target_type: 'payment-method' }],
])('a target %s', (_what, type) => {
  test('may be the stored payment method, in capitals too', async () => {
    const { id, payment_method } = await till.pay({ intent: 'capture', store: true })

    const first = await till.act(id, 'refunds', { ...type, amount: 1, target_id: payment_method.id })
    const target_id = payment_method.id.toUpperCase()
    const second = await till.act(id, 'refunds', { ...type, amount: 1, target_id })

    for (const response of [first, second]) {
      expect(response.statusCode, response.body).toBe(201)
      expect(response.json()).toMatchObject({
        target_type: 'payment-method',
        target_id: payment_method.id,
        status: 'succeeded',
      })
    }
  })

  test('that is something else is refused, and nothing is refunded', async () => {
    const stored = await till.pay({ intent: 'capture', store: true })
    const typed = await till.pay({ intent: 'capture' })

    const another = await till.act(stored.id, 'refunds', { ...type, target_id: MISSING })
    const any = await till.act(typed.id, 'refunds', { ...type, target_id: stored.payment_method.id })

    expect([another.statusCode, any.statusCode]).toEqual([400, 400])
    expect(complaint(another)).toMatchObject({ pointer: '/target_id', type: 'value_error.not_found' })
    expect(complaint(any)).toEqual({
      location: 'body',
      pointer: '/target_id',
      type: 'value_error.not_found',
      message: 'leave target_id out: the transaction’s payment method is not stored and has no id',
    })
    expect(await till.books(stored.id)).toMatchObject({ refunded: 0 })
    expect(await till.books(typed.id)).toMatchObject({ refunded: 0 })
  })

  test('that is a gift card redemption is refused, with how to refund it', async () => {
    const card = giftCardWith(500)
    const paid = await counter.pay([{ ...card, amount: 300 }], { intent: 'capture' })
    const target_id = paid.gift_card_redemptions[0].id

    const response = await counter.act(paid.id, 'refunds', { ...type, target_id })

    expect(response.statusCode, response.body).toBe(400)
    expect(complaint(response)).toEqual({
      location: 'body',
      pointer: '/target_id',
      type: 'value_error.conflict',
      message: 'send target_type gift-card-redemption to refund a gift card redemption',
    })
    expect((await counter.get(paid.id)).refunded_amount).toBe(0)
    expect(await counter.balanceOf(card)).toBe(200)
  })
})

test('a target in a missing payment is not found', async () => {
  expect((await till.act(MISSING, 'refunds', { target_id: MISSING })).statusCode).toBe(404)
})
