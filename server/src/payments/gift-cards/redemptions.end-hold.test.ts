import { beforeAll, describe, expect, test } from 'vitest'
import { complaintsOf, giftCardWith, openGiftCardTill } from '#testing/gift-cards.ts'
import { expireAuthorizations } from '../acts/expire.ts'

const SUSPECT = { buyer: { billing_details: { email_address: 'review@shop.example' } } }
const DAY_MS = 24 * 3_600_000

const { service, counter, till, line } = await openGiftCardTill()
let watchful: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  const made = await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    reviews_enabled: true,
    fields: [],
  })
  watchful = made.json()
})

const say = (transaction_id: string, decision: string) => till.notify(watchful, { transaction_id, decision })

/** Two gift cards of 500 have paid 300 and 200, and the payment waits for a review. */
async function pay(body: object = {}) {
  const cards = [giftCardWith(500), giftCardWith(500)] as const
  const given = [
    { ...cards[0], amount: 300 },
    { ...cards[1], amount: 200 },
  ]
  const paid = await counter.pay(given, { ...SUSPECT, ...body })
  const balances = () => Promise.all(cards.map(counter.balanceOf))
  return { paid, id: paid.id as string, balances }
}

describe('a payment of gift cards alone that waits for a review', () => {
  test('is held back: the gift cards are redeemed, and nothing is captured', async () => {
    const { paid, balances } = await pay({ intent: 'capture' })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      pending_review: true,
      anti_fraud_decision: 'review',
      captured_at: null,
      authorized_at: expect.any(String),
    })
    expect(await balances()).toEqual([200, 300])
    expect(await till.told(paid.id)).toEqual(['transaction.authorized'])
    expect((await counter.act(paid.id, 'refunds/all')).statusCode).toBe(400)
  })

  test.each(['authorize', 'capture'])(
    'is captured when it is accepted, with the intent %s',
    async (intent) => {
      const { id, balances } = await pay({ intent })

      const answers = [await say(id, 'accept'), await say(id, 'reject')]

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
      expect(await counter.get(id)).toMatchObject({
        status: 'capture_succeeded',
        pending_review: false,
        captured_at: expect.any(String),
      })
      expect(await till.told(id)).toEqual([
        'transaction.authorized',
        'transaction.review-accepted',
        'transaction.captured',
      ])
      expect(await balances()).toEqual([200, 300])
      expect((await counter.act(id, 'refunds/all')).json().items).toHaveLength(2)
      expect(await balances()).toEqual([500, 500])
    },
  )

  test('is refunded when it is rejected', async () => {
    const { id, balances } = await pay()

    const answer = await say(id, 'reject')

    expect(answer.statusCode).toBe(204)
    expect(await counter.get(id)).toMatchObject({ status: 'authorization_voided', pending_review: false })
    expect(await balances()).toEqual([500, 500])
    expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.voided'])
  })

  test('is refunded when it was rejected before the gift cards had paid', async () => {
    const cards = [giftCardWith(500), giftCardWith(500)] as const
    let said = 0
    line.intercept(async (go, url) => {
      if (new URL(url).pathname === '/redemptions' && said === 0) {
        said = 1
        const { items } = (await counter.send('GET /transactions?limit=1')).json()
        said = (await say(items[0].id, 'reject')).statusCode
      }
      return go()
    })

    const paid = await counter.pay(
      cards.map((card) => ({ ...card, amount: 100 })),
      SUSPECT,
    )

    expect([said, paid.status]).toEqual([204, 'authorization_voided'])
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([500, 500])
  })

  test('is refunded by the job after seven days', async () => {
    const { id, balances } = await pay()
    service.moveClock(7 * DAY_MS + 1)

    await expireAuthorizations(service.context, service.engine)
    service.moveClock(DAY_MS)
    await service.resolveDue()

    expect(await counter.get(id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
    })
    expect(await balances()).toEqual([500, 500])
  })
})

describe('meanwhile the merchant', () => {
  test('can capture it', async () => {
    const { id, balances } = await pay()

    const captured = await counter.act(id, 'capture', {})
    const again = await counter.act(id, 'capture', {})
    await say(id, 'reject')

    expect(captured.json()).toMatchObject({ status: 'capture_succeeded', pending_review: false })
    expect([again.statusCode, again.json().message]).toEqual([
      400,
      'The transaction cannot be captured: its status is capture_succeeded.',
    ])
    expect(await counter.get(id)).toMatchObject({ status: 'capture_succeeded' })
    expect(await balances()).toEqual([200, 300])
  })

  test('can void it', async () => {
    const { id, balances } = await pay()
    const headers = { 'idempotency-key': id, prefer: 'resource=transaction-void' }

    const voided = await counter.act(id, 'void', undefined, { headers })
    const replayed = await counter.act(id, 'void', undefined, { headers })
    const again = await counter.act(id, 'void')

    expect(voided.json()).toMatchObject({
      type: 'transaction-void',
      status: 'succeeded',
      transaction: { status: 'authorization_voided' },
    })
    expect(replayed.body).toBe(voided.body)
    expect(again.statusCode).toBe(400)
    expect(await balances()).toEqual([500, 500])
  })

  test('can do only one of both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, balances } = await pay()

      const answers = await Promise.all([
        counter.act(id, 'capture', {}),
        counter.act(id, 'void'),
        say(id, round % 2 === 0 ? 'accept' : 'reject'),
      ])

      const { status } = await counter.get(id)
      const isCaptured = status === 'capture_succeeded'
      const told = answers.slice(0, 2).map(({ statusCode }) => statusCode)
      expect([200, 400]).toContain(told[isCaptured ? 0 : 1])
      expect(told[isCaptured ? 1 : 0]).toBe(400)
      expect(await balances()).toEqual(isCaptured ? [200, 300] : [500, 500])
    }
  })

  test.each([
    [{ amount: 499 }, '/amount'],
    [{ final: false }, '/final'],
  ])('cannot capture a part of it: %j', async (body, pointer) => {
    const { id } = await pay()

    expect(complaintsOf(await counter.act(id, 'capture', body))).toEqual([[pointer, 'value_error.conflict']])
  })

  test('is given a report on the capture', async () => {
    const { id } = await pay()
    const headers = { prefer: 'resource=transaction-capture' }

    const report = (await counter.act(id, 'capture', { amount: 500 }, { headers })).json()

    expect(report).toMatchObject({ type: 'transaction-capture', status: 'succeeded', capture_id: null })
  })
})
