import { afterAll, beforeAll, expect, test } from 'vitest'
import { giftCardWith, openGiftCardCounter } from '#testing/gift-card-counter.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { CARD } from '#testing/till.ts'

let service: TestService
let support: SignedInUser
beforeAll(async () => {
  service = await startTestService()
  support = await signIn(service, { roles: ['administrator'] })
  service.moveClock(11 * 60_000)
})
afterAll(() => service.close())

async function pay(amount: number): Promise<string> {
  const body = { amount, currency: 'USD', country: 'US', intent: 'capture', payment_method: CARD }
  return (await service.send('POST /transactions', body)).json().id
}
const refund = (id: string, body: object, path = 'refunds') =>
  service.send(`POST /transactions/${id}/${path}`, body, { token: null, headers: support.headers })

test('a user whose proof is old refunds up to the limit, and no more', async () => {
  const id = await pay(60_000)

  const large = await refund(id, { amount: 50_001 })
  const whole = await refund(id, {})
  const all = await refund(id, {}, 'refunds/all')
  const small = await refund(id, { amount: 50_000 })

  expect([large, whole, all].map((response) => response.json().code)).toEqual(
    Array(3).fill('step_up_required'),
  )
  expect(small.statusCode, small.body).toBe(201)
  expect(small.json().creator).toMatchObject({ id: support.userId, name: 'Mara Lind' })
})

test('so it is for what gift cards have paid, also without an amount', async () => {
  const counter = await openGiftCardCounter(service)
  const card = () => [{ ...giftCardWith(60_000), amount: 60_000 }]
  const mixed = await counter.pay(card(), { amount: 60_100, intent: 'capture' })
  const alone = await counter.pay(card(), { amount: 60_000, intent: 'capture', payment_method: undefined })
  const [redemption] = mixed.gift_card_redemptions
  const target = { target_type: 'gift-card-redemption', target_id: redemption.id }

  const one = await refund(mixed.id, target)
  const all = await refund(mixed.id, {}, 'refunds/all')
  const onlyCards = await refund(alone.id, {}, 'refunds/all')
  const byMethod = await refund(mixed.id, {})

  expect([one, all, onlyCards].map((response) => response.json().code)).toEqual(
    Array(3).fill('step_up_required'),
  )
  expect(byMethod.statusCode, byMethod.body).toBe(201)
})

test('a token refunds any amount', async () => {
  const response = await service.send(`POST /transactions/${await pay(60_000)}/refunds`, { amount: 60_000 })

  expect(response.statusCode, response.body).toBe(201)
})
