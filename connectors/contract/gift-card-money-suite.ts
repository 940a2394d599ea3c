import { expect, test } from 'vitest'
import type { PresentedCard } from './gift-card.ts'
import { giveBackOrder, redeemOrder } from './gift-card-samples.ts'
import { checkRefusal, type Stage } from './gift-card-stage.ts'

/** The server's assumptions about the money on a card: none is created, and none is lost. */
export function describeRedeeming(stage: Stage): void {
  const { connector } = stage
  const redeem = (card: PresentedCard, over: object) =>
    connector.redeem(redeemOrder(card, { currency: stage.currency, ...over }), stage.bench.link)

  test('goes down by redemptions, and up by refunds', async () => {
    const card = await stage.card(5000)
    const balances: (number | string)[] = []
    const note = async () => balances.push(await stage.balanceOf(card))

    const first = await stage.redeemed(card, 3000)
    await note()
    await connector.refund(giveBackOrder(first, { amount: 1000 }), stage.bench.link)
    await note()
    const second = await stage.redeemed(card, 2500)
    await note()
    await connector.reverse(giveBackOrder(second), stage.bench.link)
    await note()

    expect(balances).toEqual([2000, 3000, 500, 3000])
  })

  test('can be redeemed to the last cent, and no further', async () => {
    const card = await stage.card(5000)

    const whole = await redeem(card, { amount: 5000 })
    const more = await redeem(card, { amount: 1 })

    expect(whole.outcome).toBe('approved')
    expect(more).toMatchObject({ outcome: 'refused', code: 'insufficient_funds' })
    expect(await stage.balanceOf(card)).toBe(0)
  })

  test.each([
    ['an amount of zero', { amount: 0 }, 'invalid_amount'],
    ['another currency', { currency: 'JPY' }, 'incorrect_currency'],
  ])('is not redeemed with %s', async (_name, over, code) => {
    const card = await stage.card(5000)

    const answer = await redeem(card, over)

    expect(answer).toMatchObject({ outcome: 'refused', code })
    expect(await stage.balanceOf(card)).toBe(5000)
  })

  test('is not redeemed from a refused card', async () => {
    const order = redeemOrder(await stage.bench.refused(), { currency: stage.currency })

    const answers = [
      await connector.redeem(order, stage.bench.link),
      await connector.redeem(order, stage.bench.link),
    ]

    for (const answer of answers) checkRefusal(answer)
    expect(await stage.bench.effectsOf(order.attemptId)).toBe(0)
  })

  test('is redeemed by concurrent requests up to the balance', async () => {
    const card = await stage.card(1000)

    const answers = await Promise.all(Array.from({ length: 25 }, () => redeem(card, { amount: 90 })))

    const outcomes = answers.map((answer) => (answer.outcome === 'refused' ? answer.code : answer.outcome))
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(11)
    expect(outcomes.filter((outcome) => outcome === 'insufficient_funds')).toHaveLength(14)
    expect(await stage.balanceOf(card)).toBe(10)
  })
}

/** The same about refunds and reversals. */
export function describeGivingBack(stage: Stage): void {
  const { connector } = stage

  test('is refunded in parts, and never beyond the redeemed amount', async () => {
    const card = await stage.card(5000)
    const redeemed = await stage.redeemed(card, 3000)
    const giveBack = (operation: 'refund' | 'reverse', amount: number) =>
      connector[operation](giveBackOrder(redeemed, { amount }), stage.bench.link)

    const outcomes = [
      await giveBack('refund', 1000),
      await giveBack('refund', 2001),
      await giveBack('reverse', 2001),
      await giveBack('refund', 0),
      await giveBack('refund', 2000),
      await giveBack('reverse', 1),
    ].map((answer) => (answer.outcome === 'refused' ? answer.code : answer.outcome))

    expect(outcomes).toEqual([
      'approved',
      'invalid_amount',
      'invalid_amount',
      'invalid_amount',
      'approved',
      'invalid_amount',
    ])
    expect(await stage.balanceOf(card)).toBe(5000)
  })

  test('is refunded by concurrent requests up to the redeemed amount', async () => {
    const card = await stage.card(1000)
    const redeemed = await stage.redeemed(card, 500)

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_none, index) =>
        connector[index % 2 ? 'refund' : 'reverse'](
          giveBackOrder(redeemed, { amount: 100 }),
          stage.bench.link,
        ),
      ),
    )

    expect(answers.filter(({ outcome }) => outcome === 'approved')).toHaveLength(5)
    expect(await stage.balanceOf(card)).toBe(1000)
  })

  test('is refunded for a redemption whose answer was lost', async () => {
    const card = await stage.card(5000)
    const { order } = await stage.redeemed(card, 3000)
    const redeemed = { order, reference: '' }

    const refund = giveBackOrder(redeemed, { amount: 1000, reference: null })
    const reverse = giveBackOrder(redeemed, { amount: 2000, reference: null })
    const answers = [
      await connector.refund(refund, stage.bench.link),
      await connector.reverse(reverse, stage.bench.link),
    ]

    expect(answers).toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }])
    expect(await stage.balanceOf(card)).toBe(5000)
  })

  test('is not redeemed by a late request that was reversed before', async () => {
    const card = await stage.card(5000)
    const order = redeemOrder(card, { currency: stage.currency })
    const reversal = giveBackOrder({ order, reference: '' }, { reference: null })

    const reversed = await connector.reverse(reversal, stage.bench.link)
    const late = await connector.redeem(order, stage.bench.link)

    expect(reversed.outcome).toBe('approved')
    expect(late.outcome).toBe('refused')
    expect(await stage.balanceOf(card)).toBe(5000)
    expect(await stage.bench.effectsOf(reversal.attemptId)).toBe(0)
  })

  test('is not refunded for an unknown redemption', async () => {
    const card = await stage.card(5000)
    const never = { order: redeemOrder(card, { currency: stage.currency }), reference: crypto.randomUUID() }

    const answers = [
      await connector.refund(giveBackOrder(never), stage.bench.link),
      await connector.refund(giveBackOrder(never, { reference: null }), stage.bench.link),
      await connector.reverse(giveBackOrder(never), stage.bench.link),
    ]

    for (const answer of answers) checkRefusal(answer)
    expect(await stage.balanceOf(card)).toBe(5000)
  })
}
