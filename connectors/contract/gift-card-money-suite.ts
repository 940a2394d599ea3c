import { expect, test } from 'vitest'
import type { PresentedCard } from './gift-card.ts'
import { giveBackOrder, redeemOrder } from './gift-card-samples.ts'
import { checkRefusal, type Stage } from './gift-card-stage.ts'

/** What the server relies on about the money of a card: none is made up, and none is lost. */
export function describeRedeeming(stage: Stage): void {
  const { connector } = stage
  const redeem = (card: PresentedCard, over: object) =>
    connector.redeem(redeemOrder(card, { currency: stage.currency, ...over }), stage.bench.link)

  test('goes down by what is redeemed, and up by what is given back', async () => {
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
    ['an amount of nothing', { amount: 0 }, 'invalid_amount'],
    ['another currency', { currency: 'JPY' }, 'incorrect_currency'],
  ])('is not redeemed with %s', async (_name, over, code) => {
    const card = await stage.card(5000)

    const answer = await redeem(card, over)

    expect(answer).toMatchObject({ outcome: 'refused', code })
    expect(await stage.balanceOf(card)).toBe(5000)
  })

  test('is not redeemed from a card that is no good', async () => {
    const order = redeemOrder(await stage.bench.refused(), { currency: stage.currency })

    const answers = [
      await connector.redeem(order, stage.bench.link),
      await connector.redeem(order, stage.bench.link),
    ]

    for (const answer of answers) checkRefusal(answer)
    expect(await stage.bench.effectsOf(order.attemptId)).toBe(0)
  })

  test('is redeemed by many at once up to what is there', async () => {
    const card = await stage.card(1000)

    const answers = await Promise.all(Array.from({ length: 25 }, () => redeem(card, { amount: 90 })))

    const outcomes = answers.map((answer) => (answer.outcome === 'refused' ? answer.code : answer.outcome))
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(11)
    expect(outcomes.filter((outcome) => outcome === 'insufficient_funds')).toHaveLength(14)
    expect(await stage.balanceOf(card)).toBe(10)
  })
}

/** And of giving it back. */
export function describeGivingBack(stage: Stage): void {
  const { connector } = stage

  test('is given back in parts, and never more of it than was redeemed', async () => {
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

  test('is given back by many at once up to what was redeemed', async () => {
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

  test('is given back for a redemption whose answer was lost', async () => {
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

  test('is not taken any more once a redemption that has not arrived was reversed', async () => {
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

  test('is not given back for a redemption that is not there', async () => {
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
