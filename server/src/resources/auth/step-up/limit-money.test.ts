import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personWithPasskey, sendFromPage } from '#testing/enrol.ts'
import { giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { CARD } from '#testing/till.ts'

let service: TestService
let support: SignedInUser
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function pay(amount: number): Promise<string> {
  const body = { amount, currency: 'USD', country: 'US', intent: 'capture', payment_method: CARD }
  return (await service.send('POST /transactions', body)).json().id
}
const refund = (id: string, body: object, path = 'refunds') =>
  service.send(`POST /transactions/${id}/${path}`, body, { token: null, headers: support.headers })

/** A user who has moved nothing yet, and whose proof is old. */
beforeEach(async () => {
  support = await signIn(service, { roles: ['administrator'] })
  service.moveClock(11 * 60_000)
})

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
  const counter = openGiftCardCounter(service)
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

test('many small refunds and captures count together, for an hour', async () => {
  const [first, second] = [await pay(60_000), await pay(60_000)]
  const held = { amount: 60_000, currency: 'USD', country: 'US', intent: 'authorize', payment_method: CARD }
  const { id: third } = (await service.send('POST /transactions', held)).json()
  const capture = (body: object) =>
    service.send(`POST /transactions/${third}/capture`, body, { token: null, headers: support.headers })
  const twenty = { amount: 20_000 }

  const within = [await refund(first, twenty), await capture({ ...twenty, final: false })]
  const beyond = [await refund(second, twenty), await capture({}), await capture(twenty)]
  const rest = await refund(second, { amount: 10_000 })
  // The session is used, so that it lasts.
  for (let minutes = 0; minutes < 60; minutes += 12) {
    service.moveClock(12 * 60_000)
    await service.send('GET /users/me', undefined, { token: null, headers: support.headers })
  }
  const later = await refund(second, twenty)

  expect(within.map(({ statusCode }) => statusCode)).toEqual([201, 200])
  expect(beyond.map((response) => response.json().code)).toEqual(Array(3).fill('step_up_required'))
  expect([rest.statusCode, later.statusCode]).toEqual([201, 201])
})

test('refunds at the same moment do not pass the limit together', async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pay(20_000)))

  const answers = await Promise.all(ids.map((id) => refund(id, { amount: 20_000 })))

  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
})

test('a fresh proof lifts the limit, and what was moved before it no longer counts', async () => {
  const { headers, device } = await personWithPasskey(service)
  service.moveClock(11 * 60_000)
  const id = await pay(200_000)
  const move = async (amount: number) =>
    (await service.send(`POST /transactions/${id}/refunds`, { amount }, { token: null, headers })).statusCode

  const before = [await move(40_000), await move(40_000)]
  const { challenge_id, passkey } = (
    await sendFromPage(service, 'POST /auth/step-up/options', undefined, headers)
  ).json()
  const proof = { challenge_id, passkey: device.sign(passkey) }
  expect((await sendFromPage(service, 'POST /auth/step-up', proof, headers)).statusCode).toBe(201)
  const proved = [await move(60_000)]
  service.moveClock(11 * 60_000)
  const after = [await move(40_000), await move(40_000)]

  expect([before, proved, after]).toEqual([[201, 403], [201], [201, 403]])
})

test('a token refunds any amount', async () => {
  const response = await service.send(`POST /transactions/${await pay(60_000)}/refunds`, { amount: 60_000 })

  expect(response.statusCode, response.body).toBe(201)
})
