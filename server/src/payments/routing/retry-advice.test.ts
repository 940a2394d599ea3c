import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SendOptions, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { forgetDeclines } from './retry-advice.ts'

const DECLINED = 200_012 // issuer_decline, which another service may not share
const advising = (result: string) => ({
  connection_options: { 'mock-card': { merchant_advice_code: { account_number: null, result } } },
})
const ADVISED = advising('03')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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
const decisionOf = async (id: string, options?: SendOptions) =>
  (await service.send(`GET /transactions/${id}/decision`, undefined, options)).json()
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
      action: 'never',
      advised_transaction_id: advised.id,
    })
    const { candidates } = await decisionOf(advised.id)
    expect(candidates[1]).toMatchObject({
      was_asked: false,
      reason: 'scheme_advice',
      text: 'Till was not tried: the card scheme says never to retry the card (merchant advice code 03).',
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

  test('stops payments without the buyer until the card is renewed', async () => {
    const card = newCard()
    const payment_method = { method: 'id', id: await store(card) }
    const renewed = { method: 'id', id: await store({ ...card, expiration_date: '11/41' }) }
    await till.pay({ ...ADVISED, amount: DECLINED, payment_method: card })

    service.moveClock(90 * DAY_MS)
    await forgetDeclines(service.context)
    const stopped = await till.pay({ amount: 500, payment_method, ...merchantPays })
    const free = await till.pay({ amount: 500, payment_method: renewed, ...merchantPays })
    service.moveClock(-90 * DAY_MS)

    expect([stopped.error_code, free.status]).toEqual([
      'retry_not_allowed_by_scheme',
      'authorization_succeeded',
    ])
    expect(await decisionOf(stopped.id)).toMatchObject({
      summary:
        'No payment service was asked: the card scheme says never to retry the card (merchant advice code 03).',
    })
  })

  test('is over once a payment with the card was approved', async () => {
    const card = newCard()
    const payment_method = { method: 'id', id: await store(card) }
    await till.pay({ ...ADVISED, amount: DECLINED, payment_method: card })
    const buyer = await till.pay({ amount: 777, payment_method: card })

    const merchant = await till.pay({ amount: 500, payment_method, ...merchantPays })

    expect([buyer.status, merchant.status]).toEqual(['authorization_succeeded', 'authorization_succeeded'])
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

describe('a scheme’s advice to retry later', () => {
  test('stops the same amount until then, and says when that is', async () => {
    const payment_method = newCard()
    const before = service.context.clock().getTime()
    const advised = await till.pay({ ...advising('24'), amount: DECLINED, payment_method })

    const early = await till.pay({ amount: DECLINED, payment_method })
    const other = newCard()
    await till.pay({ ...advising('02'), amount: DECLINED, payment_method: other })
    service.moveClock(HOUR_MS + 1)
    const inTime = await till.pay({ amount: DECLINED, payment_method })
    const tooEarly = await till.pay({ amount: DECLINED, payment_method: other })
    service.moveClock(-HOUR_MS - 1)

    expect(advised.error_code).toBe('issuer_decline')
    expect([early.status, early.error_code]).toEqual(['authorization_declined', 'retry_too_early_for_scheme'])
    const until = (await adviceOf(early.id))?.['until']
    expect(Date.parse(String(until)) - before).toBeGreaterThanOrEqual(HOUR_MS)
    expect((await decisionOf(early.id)).summary).toContain(
      `says to wait until ${until} (merchant advice code 24)`,
    )
    expect(await till.books(early.id)).toBeNull()
    expect([inTime.error_code, tooEarly.error_code]).toEqual(['issuer_decline', 'retry_too_early_for_scheme'])
  })

  test('is only of Mastercard', async () => {
    const payment_method = { ...CARD, number: '4242424242424242' }
    await till.pay({ ...advising('24'), amount: DECLINED, payment_method })

    expect((await till.pay({ amount: DECLINED, payment_method })).error_code).toBe('issuer_decline')
  })
})

test('after advice to use other data, no service gets the same data, and the renewed card is tried', async () => {
  const card = newCard()
  const advised = await till.pay({ ...advising('01'), amount: DECLINED, payment_method: card })
  const same = await till.pay({ amount: DECLINED, payment_method: card })
  const renewed = await till.pay({
    amount: DECLINED,
    payment_method: { ...card, expiration_date: '11/41' },
  })

  const asked = (await eventsOf(advised.id)).filter(({ name }) => name.endsWith('-declined'))
  expect(asked).toHaveLength(1)
  expect([same.error_code, renewed.error_code]).toEqual(['retry_not_allowed_by_scheme', 'issuer_decline'])
})

describe('a limit of declines', () => {
  const account = 'limited'
  const options = { account }
  const policy = (body: object) => service.send('PUT /flows/retry-policy', body, options)
  const limit = (scheme: string, declines_max: number, more: object = {}) => ({
    limits: [{ scheme, within_hours: 24, declines_max, ...more }],
  })
  const pay = (body: object) => till.pay({ amount: 200_011, ...body }, options)
  beforeAll(async () => {
    await service.send('POST /merchant-accounts', { id: account, display_name: account })
    await till.addService({}, options)
    await till.addService({}, options)
  })

  test('stops the card when it is reached, and lets it go on when its time is over', async () => {
    await policy(limit('mastercard', 2))
    const payment_method = newCard()

    const first = [await pay({ payment_method }), await pay({ payment_method })]
    const stopped = await pay({ payment_method, amount: 999 })
    const other = await pay({ payment_method: newCard() })
    service.moveClock(DAY_MS + 1)
    const later = await pay({ payment_method, amount: 999 })
    service.moveClock(-DAY_MS - 1)

    expect(first.map(({ error_code }) => error_code)).toEqual(['insufficient_funds', 'insufficient_funds'])
    expect([stopped.status, stopped.error_code]).toEqual(['authorization_declined', 'retry_limit_reached'])
    expect((await decisionOf(stopped.id, options)).summary).toBe(
      'No payment service was asked: the card was declined 2 times within 24 hours, and mastercard allows no more.',
    )
    expect([other.error_code, later.status]).toEqual(['insufficient_funds', 'authorization_succeeded'])
  })

  test('counts every attempt of a cascade, and ends it', async () => {
    await policy(limit('mastercard', 1))

    const paid = await pay({ payment_method: newCard(), amount: DECLINED })

    const { candidates } = await decisionOf(paid.id, options)
    expect(paid.error_code).toBe('issuer_decline')
    expect(candidates.map(({ was_asked, reason }: Record<string, unknown>) => [was_asked, reason])).toEqual([
      [true, null],
      [false, 'scheme_limit'],
    ])
  })

  test('counts the merchant and the buyer apart if it says so', async () => {
    await policy(limit('mastercard', 1, { counted: 'apart' }))
    const card = newCard()
    const stored = await service.send('POST /payment-methods', card, options)
    await pay({ payment_method: card })

    const merchant = await pay({ payment_method: { method: 'id', id: stored.json().id }, ...merchantPays })
    const buyer = await pay({ payment_method: card })

    expect([merchant.error_code, buyer.error_code]).toEqual(['insufficient_funds', 'retry_limit_reached'])
  })

  test('only warns if the merchant wants that, as advice does', async () => {
    await policy({ ...limit('mastercard', 1), mode: 'warn' })
    const payment_method = newCard()

    const advised = await till.pay({ ...ADVISED, amount: DECLINED, payment_method }, options)
    const again = await till.pay({ amount: 999, payment_method }, options)
    const events = (await service.send(`GET /transactions/${advised.id}/events`, undefined, options)).json()
    const warned = (await service.send(`GET /transactions/${again.id}/events`, undefined, options)).json()

    const asked = events.items.filter(({ name }: Event) => name.endsWith('-declined'))
    expect(asked).toHaveLength(2)
    // Nothing stops the next payment, so the last answer does not say so either.
    const stops = events.items
      .filter(({ name }: Event) => name === 'scheme-advice-do-not-retry')
      .map(({ context }: Event) => context['stops'])
    expect(new Set(stops)).toEqual(new Set(['nothing']))
    expect(again.status).toBe('authorization_succeeded')
    expect(warned.items.map(({ name, context }: Event) => [name, context['stops']])).toContainEqual([
      'scheme-advice-do-not-retry',
      'nothing',
    ])
  })

  describe('after the buyer’s approval', () => {
    const approve = ({ payment_method }: { payment_method: { approval_url: string } }) =>
      service.app.inject({
        method: 'POST',
        url: new URL(payment_method.approval_url).pathname,
        payload: 'decision=approve',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const CHALLENGED = { ...CARD, number: '4111111111102011' }
    const challenged = { ...CHALLENGED, redirect_url: 'https://shop.example.com/back' }
    const authenticate = async (three_d_secure_enabled: boolean) => {
      const { items } = (await service.send('GET /payment-services', undefined, options)).json()
      for (const { id } of items) {
        await service.send(`PUT /payment-services/${id}`, { three_d_secure_enabled }, options)
      }
    }
    beforeAll(async () => {
      await pay({ payment_method: CHALLENGED })
      await authenticate(true)
    })
    afterAll(() => authenticate(false))

    test('only warns if the merchant wants that', async () => {
      await policy({ ...limit('visa', 1), mode: 'warn' })

      const waiting = await till.pay({ amount: 999, payment_method: challenged }, options)
      expect(waiting.status).toBe('buyer_approval_pending')
      await approve(waiting)

      expect((await till.get(waiting.id, options)).status).toBe('authorization_succeeded')
      const { items } = (
        await service.send(`GET /transactions/${waiting.id}/events`, undefined, options)
      ).json()
      const told = items.filter(({ name }: Event) => name === 'scheme-advice-do-not-retry')
      expect(told.map(({ context }: Event) => context['stops'])).toEqual(['nothing'])
    })

    test('is not passed by payments at the same moment', async () => {
      await policy({ ...limit('visa', 2), mode: 'obey' })
      const waiting = []
      for (let one = 0; one < 4; one += 1) waiting.push(await pay({ payment_method: challenged }))

      await Promise.all(waiting.map(approve))

      const ends = await Promise.all(waiting.map(async ({ id }) => (await till.get(id, options)).error_code))
      expect(ends.toSorted()).toEqual([
        'insufficient_funds',
        'retry_limit_reached',
        'retry_limit_reached',
        'retry_limit_reached',
      ])
    })
  })

  test('is told by a dry run before it is felt', async () => {
    await policy({ ...limit('mastercard', 1), mode: 'obey' })
    const payment_method = newCard()
    const transaction = { amount: 999, currency: 'USD', country: 'US', payment_method }
    const dryRun = async () =>
      (await service.send('POST /flows/dry-run', { transaction, rules: [] }, options)).json()

    expect((await dryRun()).objection).toBeNull()
    await pay({ payment_method })
    const stopped = await dryRun()
    await policy({ mode: 'warn' })
    const warned = await dryRun()
    await policy({ mode: 'obey' })

    expect(stopped.objection).toEqual({
      error_code: 'retry_limit_reached',
      stops: 'payment',
      text: 'The card was declined 1 time within 24 hours, and mastercard allows no more.',
    })
    expect(stopped.candidates[0].reason).toBe('scheme_limit')
    expect(warned.objection).toMatchObject({ error_code: 'retry_limit_reached', stops: 'nothing' })
    expect(warned.candidates[0].reason).toBeNull()
  })

  test('is not passed by payments at the same moment, once the card was declined', async () => {
    await policy({ ...limit('mastercard', 3), mode: 'obey' })
    const payment_method = newCard()
    await pay({ payment_method })

    const paid = await Promise.all(Array.from({ length: 6 }, () => pay({ payment_method })))

    const codes = paid.map(({ error_code }) => error_code)
    expect(codes.filter((code) => code === 'insufficient_funds')).toHaveLength(2)
    expect(codes.filter((code) => code === 'retry_limit_reached')).toHaveLength(4)
  })

  test('is not passed by the next services of payments at the same moment', async () => {
    await policy({ ...limit('mastercard', 3), mode: 'obey' })
    const payment_method = newCard()
    await pay({ payment_method })

    const paid = await Promise.all(Array.from({ length: 4 }, () => pay({ payment_method, amount: DECLINED })))

    const declines = []
    for (const { id } of paid) {
      const { items } = (await service.send(`GET /transactions/${id}/events`, undefined, options)).json()
      declines.push(...items.filter(({ name }: Event) => name.endsWith('-declined')))
    }
    expect(declines).toHaveLength(2)
  })

  test('holds for each account alone', async () => {
    await policy({ ...limit('mastercard', 1), mode: 'obey' })
    const payment_method = newCard()
    await pay({ payment_method })

    expect((await pay({ payment_method })).error_code).toBe('retry_limit_reached')
    expect((await till.pay({ amount: 999, payment_method })).status).toBe('authorization_succeeded')
  })
})
