import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import {
  type GiftCardCounter,
  giftCardWith,
  openGiftCardCounter,
  refusedGiftCard,
} from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { openTill, type Till } from '#testing/till.ts'

const DAY_MS = 24 * 3_600_000

let service: TestService
let counter: GiftCardCounter
let till: Till
let line: ProcessorLine
beforeAll(async () => {
  service = await startTestService()
  counter = openGiftCardCounter(service)
  till = openTill(service)
  line = holdProcessorLine(service)
})
afterEach(async () => {
  line.repair()
  expect(await giftCardDisagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

type Redemption = { readonly status: string; readonly refunded_amount: number; readonly error_code: string }
const redemptionsOf = ({ gift_card_redemptions: all }: { gift_card_redemptions: Redemption[] }) =>
  all.map(({ status, refunded_amount, error_code }) => [status, refunded_amount, error_code])
const stepsOf = async (id: string) =>
  (await counter.attemptsOf(id)).map(({ kind, state }) => `${kind} ${state}`)
const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}

/** Three cards, one of which is refused, by its place. */
const threeWith = (refused: number, code = 1) => {
  const cards = [0, 1, 2].map((index) => (index === refused ? refusedGiftCard(code) : giftCardWith(500)))
  return { cards, parts: cards.map((card, index) => ({ ...card, amount: 100 + index })) }
}
const isRefused = ({ pin }: { pin: string }) => pin.startsWith('1')
const balancesOf = (cards: { number: string; pin: string }[]) =>
  Promise.all(cards.filter((card) => !isRefused(card)).map(counter.balanceOf))

const AFTER_REFUSAL = [
  [
    ['failed', 0, 'expired_card'],
    ['skipped', 0, null],
    ['skipped', 0, null],
  ],
  [
    ['succeeded', 100, null],
    ['failed', 0, 'expired_card'],
    ['skipped', 0, null],
  ],
  [
    ['succeeded', 100, null],
    ['succeeded', 101, null],
    ['failed', 0, 'expired_card'],
  ],
]

describe('a gift card that is refused', () => {
  test.each([0, 1, 2])('(place %i of three) undoes what the ones before it have paid', async (place) => {
    const { cards, parts } = threeWith(place)

    const paid = await counter.pay(parts)

    expect(paid).toMatchObject({
      status: 'authorization_failed',
      error_code: 'expired_card',
      intent_outcome: 'failed',
      captured_at: null,
    })
    const settled = await counter.get(paid.id)
    expect(redemptionsOf(settled)).toEqual(AFTER_REFUSAL[place])
    expect(settled).toEqual(paid)
    expect(await balancesOf(cards)).toEqual([500, 500])
    expect(await stepsOf(paid.id)).toEqual([
      ...Array.from({ length: place }, () => 'redeem approved'),
      'redeem declined',
      ...Array.from({ length: place }, () => 'reverse approved'),
    ])
    expect(await till.told(paid.id)).toEqual(['transaction.failed'])
    expect(await counter.history(paid.id)).toEqual([
      ...Array.from({ length: place }, () => 'gift-card-redemption-succeeded'),
      'gift-card-redemption-failed',
      'transaction-updated-status',
      ...Array.from({ length: place }, () => 'gift-card-reversal-succeeded'),
    ])
  })

  test.each([0, 1, 2].flatMap((place) => ['authorize', 'capture'].map((intent) => [place, intent] as const)))(
    '(place %i of three) releases the card’s hold, too, with the intent %s',
    async (place, intent) => {
      const { cards, parts } = threeWith(place)

      const paid = await counter.pay(parts, { amount: 1000, intent })

      expect(paid).toMatchObject({
        status: 'authorization_failed',
        error_code: 'expired_card',
        intent_outcome: 'failed',
        captured_amount: 0,
      })
      expect(redemptionsOf(paid)).toEqual(AFTER_REFUSAL[place])
      expect(await balancesOf(cards)).toEqual([500, 500])
      expect(await till.books(paid.id)).toEqual({ authorized: 697, captured: 0, refunded: 0, voided: 697 })
      expect((await stepsOf(paid.id)).filter((step) => step.startsWith('void'))).toEqual(['void approved'])
      expect(await till.told(paid.id)).toEqual(['transaction.failed'])
      for (const operation of ['capture', 'void', 'refunds']) {
        const answer = await counter.act(paid.id, operation, operation === 'void' ? undefined : {})
        expect(answer.statusCode, answer.body).toBe(400)
      }
    },
  )

  test.each([
    ['invalid_gift_card', 0],
    ['expired_card', 1],
    ['inactive_card', 2],
    ['invalid_service_credentials', 3],
    ['invalid_amount', 4],
    ['incorrect_currency', 5],
    ['insufficient_funds', 6],
    ['invalid_service_configuration', 7],
    ['operation_canceled', 8],
    ['service_error', 9],
    ['service_network_error', 10],
    ['unknown_error', 11],
  ])('with %s says so, on the payment and on the card', async (code, number) => {
    const good = giftCardWith(500)

    const paid = await counter.pay([
      { ...good, amount: 500 },
      { ...refusedGiftCard(number), amount: 1 },
    ])

    expect([paid.status, paid.error_code]).toEqual(['authorization_failed', code])
    expect(redemptionsOf(paid)).toEqual([
      ['succeeded', 500, null],
      ['failed', 0, code],
    ])
    expect(paid.gift_card_redemptions[1]).toMatchObject({
      raw_error_code: 'validation_error',
      raw_error_message: expect.any(String),
      gift_card_service_redemption_id: null,
    })
    expect(await counter.balanceOf(good)).toBe(500)
  })

  test.each([
    ['has not enough', { ...giftCardWith(99), amount: 100 }, {}, 'insufficient_funds'],
    [
      'is in another currency',
      { ...giftCardWith(500), amount: 100 },
      { currency: 'EUR' },
      'incorrect_currency',
    ],
  ])('because it %s undoes all', async (_why, card, body, code) => {
    const paid = await counter.pay([card], { amount: 1000, ...body })

    expect([paid.status, paid.error_code]).toEqual(['authorization_failed', code])
    expect(redemptionsOf(paid)).toEqual([['failed', 0, code]])
    expect(await till.books(paid.id)).toMatchObject({ authorized: 900, voided: 900 })
  })

  test('was good when it was stored, and is not any more', async () => {
    const card = giftCardWith(500)
    const id = await counter.store(card)
    await counter.pay([{ ...card, amount: 401 }])

    const paid = await counter.pay([{ id, amount: 100 }])

    expect([paid.status, paid.error_code]).toEqual(['authorization_failed', 'insufficient_funds'])
    expect(await counter.balanceOf({ id })).toBe(99)
  })
})

describe('a capture that is refused', () => {
  test.each([
    ['failed', 500_001, 'service_network_error'],
    ['was declined', 500_002, 'refused_transaction'],
  ])('because it %s gives gift cards their money back', async (_how, rest, code) => {
    const cards = [giftCardWith(100), giftCardWith(100)]

    const paid = await counter.pay(
      cards.map((card) => ({ ...card, amount: 100 })),
      { amount: rest + 200, intent: 'capture' },
    )

    expect([paid.status, paid.error_code]).toEqual(['authorization_failed', code])
    expect(redemptionsOf(paid)).toEqual([
      ['succeeded', 100, null],
      ['succeeded', 100, null],
    ])
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([100, 100])
    expect(await till.books(paid.id)).toEqual({ authorized: rest, captured: 0, refunded: 0, voided: rest })
  })

  test('after the merchant was answered has the same effect', async () => {
    const card = giftCardWith(100)
    const paid = await counter.pay([{ ...card, amount: 100 }], {
      amount: 500_102,
      intent: 'capture',
      async_capture: true,
    })

    await resolveAfter(0)

    expect(paid.status).toBe('capture_pending')
    const settled = await counter.get(paid.id)
    expect([settled.status, settled.error_code]).toEqual(['authorization_failed', 'refused_transaction'])
    expect(redemptionsOf(settled)).toEqual([['succeeded', 100, null]])
    expect(await counter.balanceOf(card)).toBe(100)
  })

  test('does not change gift cards if the merchant can try again', async () => {
    const card = giftCardWith(100)
    const paid = await counter.pay([{ ...card, amount: 100 }], { amount: 500_102 })

    const refused = (await counter.act(paid.id, 'capture', {})).json()
    const captured = (await counter.act(paid.id, 'capture', { amount: 500_000 })).json()

    expect([refused.status, captured.status]).toEqual(['authorization_succeeded', 'capture_succeeded'])
    expect(await counter.balanceOf(card)).toBe(0)
  })
})

describe('a reversal', () => {
  const faultOn = (on: string, kind: string) => ({
    connection_options: { 'mock-gift-card': { fault: { on, kind } } },
  })
  const pay = (kind: string) => {
    const { cards, parts } = threeWith(2)
    const { timeoutMs } = service.providers
    // Where the reversals are not answered, the timeout is short once the last card is refused.
    let redemptions = 0
    line.intercept(async (go, url) => {
      const answer = await go()
      if (url.endsWith('/redemptions')) redemptions += 1
      if (redemptions === 3 && kind === 'stall') Object.assign(service.providers, { timeoutMs: 500 })
      return answer
    })
    const paid = counter.pay(parts, { amount: 1000, ...faultOn('reverse', kind) })
    return { cards, paid: paid.finally(() => Object.assign(service.providers, { timeoutMs })) }
  }

  test.each(['lose-answer', 'garbage', 'late'])('is resolved when its answer is lost (%s)', async (kind) => {
    const { cards, paid } = pay(kind)
    const { id, status } = await paid
    await line.letArrive()

    await resolveAfter(61_000)

    expect(status).toBe('authorization_failed')
    expect(redemptionsOf(await counter.get(id))).toEqual(AFTER_REFUSAL[2])
    expect(await balancesOf(cards)).toEqual([500, 500])
    expect((await stepsOf(id)).filter((step) => step.startsWith('reverse'))).toEqual([
      'reverse approved',
      'reverse approved',
    ])
  })

  test.each(['unreachable', 'stall', 'late'])('is retried when it never arrived (%s)', async (kind) => {
    const { cards, paid } = pay(kind)
    const { id } = await paid

    await resolveAfter(61_000)
    const between = await balancesOf(cards)
    // The option of the payment would make it fail again.
    await counter.send(`PUT /transactions/${id}`, { connection_options: {} })
    await resolveAfter(5 * 60_000)
    await line.letArrive()

    expect(between).toEqual([400, 399])
    expect(redemptionsOf(await counter.get(id))).toEqual(AFTER_REFUSAL[2])
    expect(await balancesOf(cards)).toEqual([500, 500])
    expect((await stepsOf(id)).filter((step) => step.startsWith('reverse'))).toEqual([
      'reverse failed',
      'reverse failed',
      'reverse approved',
      'reverse approved',
    ])
  })

  test('happens once when the request arrives twice', async () => {
    const { cards, paid } = pay('twice')

    expect(redemptionsOf(await paid)).toEqual(AFTER_REFUSAL[2])
    expect(await balancesOf(cards)).toEqual([500, 500])
  })

  test('is retried daily when the provider refuses it', async () => {
    const refusal = { operation: 'reverse', status: 'refused', reference: 'no', code: 'service_error' }
    const body = { ...refusal, raw_code: null, raw_message: null }
    line.intercept((go, url) => (url.includes('/reversals') ? Promise.resolve(Response.json(body)) : go()))
    const { cards, parts } = threeWith(1)

    const { id } = await counter.pay(parts)
    await resolveAfter(DAY_MS - 10_000)
    line.repair()
    const steps = [await stepsOf(id)]
    await resolveAfter(11_000)
    steps.push(await stepsOf(id))

    expect(steps.map((all) => all.slice(2))).toEqual([
      ['reverse declined', 'reverse queued'],
      ['reverse declined', 'reverse approved'],
    ])
    expect(await balancesOf(cards)).toEqual([500, 500])
    const history = await counter.history(id)
    expect(history.filter((name) => /reversal|refund/.test(name))).toEqual([
      'gift-card-refund-failed',
      'gift-card-reversal-succeeded',
    ])
  })

  test.each(['lose-answer', 'unreachable'])(
    'comes with the release of the card’s hold, even if the void is lost (%s)',
    async (kind) => {
      const { parts } = threeWith(1)
      const connection_options = { 'mock-card': { fault: { on: 'void', kind } } }

      const { id } = await counter.pay(parts, { amount: 1000, connection_options })
      await resolveAfter(61_000)
      await counter.send(`PUT /transactions/${id}`, { connection_options: {} })
      await resolveAfter(5 * 60_000)

      expect(await till.books(id)).toMatchObject({ authorized: 697, voided: 697 })
      expect((await counter.get(id)).status).toBe('authorization_failed')
    },
  )
})
