import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { forgetAdvices } from './obey.ts'

const DECLINED = 200_012 // issuer_decline, which another service may not share
const ADVISED = {
  connection_options: { 'mock-card': { merchant_advice_code: { account_number: null, result: '03' } } },
}
const DAY_MS = 24 * 3_600_000

let service: TestService
let till: Till
let count = 0
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await till.addService({})
})
afterAll(() => service.close())

type Event = { readonly name: string; readonly context: Record<string, unknown> }
const eventsOf = async (id: string): Promise<Event[]> =>
  (await service.send(`GET /transactions/${id}/events`)).json().items
const adviceOf = async (id: string) =>
  (await eventsOf(id)).find(({ name }) => name === 'scheme-advice-do-not-retry')?.context

/** A card that no other test uses. */
function newCard() {
  count += 1
  const digits = `555555${String(count).padStart(9, '0')}`
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return { ...CARD, number: `${digits}${(10 - (sum % 10)) % 10}` }
}
const merchantPays = { payment_source: 'card_on_file', merchant_initiated: true, is_subsequent_payment: true }

async function store(card: object): Promise<string> {
  return (await service.send('POST /payment-methods', card)).json().id
}

describe('a scheme’s advice never to retry', () => {
  test('stops the cascade: no other service is asked', async () => {
    const advised = await till.pay({ ...ADVISED, amount: DECLINED, payment_method: newCard() })
    const usual = await till.pay({ amount: DECLINED, payment_method: newCard() })

    const asked = async (id: string) => (await eventsOf(id)).filter(({ name }) => name.endsWith('-declined'))
    expect([(await asked(advised.id)).length, (await asked(usual.id)).length]).toEqual([1, 2])
    expect(advised).toMatchObject({ error_code: 'issuer_decline', merchant_advice_code: '03' })
    expect(await adviceOf(advised.id)).toEqual({
      stops: 'next_payment_service',
      scheme: 'mastercard',
      kind: 'merchant_advice_code',
      code: '03',
      advised_transaction_id: advised.id,
    })
  })

  test('stops only the same amount with the same card', async () => {
    const payment_method = newCard()
    const advised = await till.pay({ ...ADVISED, amount: DECLINED, payment_method })

    const again = await till.pay({ amount: DECLINED, payment_method })
    const other = await till.pay({ amount: 999, payment_method })
    const others = await till.pay({ amount: DECLINED, payment_method: newCard() })

    expect(again).toMatchObject({
      status: 'authorization_declined',
      error_code: 'retry_not_allowed_by_scheme',
      payment_service: null,
    })
    expect(await adviceOf(again.id)).toMatchObject({
      stops: 'payment',
      code: '03',
      advised_transaction_id: advised.id,
      until: expect.any(String),
    })
    expect(await till.books(again.id)).toBeNull()
    expect([other.status, others.error_code]).toEqual(['authorization_succeeded', 'issuer_decline'])
  })

  test('stops payments without the buyer for 30 days', async () => {
    const card = newCard()
    const payment_method = { method: 'id', id: await store(card) }
    await till.pay({ ...ADVISED, amount: DECLINED, payment_method: card })

    const stopped = await till.pay({ amount: 500, payment_method, ...merchantPays })
    service.moveClock(30 * DAY_MS + 1)
    await forgetAdvices(service.context)
    const kept = await service.context.db.selectFrom('scheme_advices').selectAll().execute()

    expect(stopped.error_code).toBe('retry_not_allowed_by_scheme')
    expect(kept).toEqual([])
    service.moveClock(-30 * DAY_MS - 1)
    expect((await till.pay({ amount: 500, payment_method, ...merchantPays })).status).toBe(
      'authorization_succeeded',
    )
  })

  test('by a response code of Visa stops the merchant, but not the buyer', async () => {
    const card = { ...CARD, number: '4012888888881881' }
    const payment_method = { method: 'id', id: await store(card) }

    await till.pay({ amount: 200_001, payment_method: card })
    const free = await till.pay({ amount: 500, payment_method, ...merchantPays })
    const declined = await till.pay({ amount: 200_001, payment_method, ...merchantPays })
    const stopped = await till.pay({ amount: 500, payment_method, ...merchantPays })
    const buyer = await till.pay({ amount: 200_001, payment_method: card })

    expect([free.status, declined.error_code]).toEqual(['authorization_succeeded', 'canceled_payment_method'])
    expect(stopped.error_code).toBe('retry_not_allowed_by_scheme')
    expect(buyer.error_code).toBe('canceled_payment_method')
  })
})
