import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectorProblems } from './check-connector.ts'
import type { Link } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import type { GiftCardConnector, PresentedCard } from './gift-card.ts'
import { describeGivingBack, describeRedeeming } from './gift-card-money-suite.ts'
import { redeemOrder } from './gift-card-samples.ts'
import { checkRefusal, type GiftCardBench, type Operation, referenceOf, Stage } from './gift-card-stage.ts'
import { LOST_ANSWER, TROUBLES } from './suite-troubles.ts'

/** The server's assumptions about every provider of gift cards. Absent functions are not tested. */
export function describeGiftCardConnector(
  connector: GiftCardConnector,
  open: () => Promise<GiftCardBench>,
): void {
  describe(`the connector ${connector.manifest.id}`, () => {
    const stage = new Stage(connector)
    beforeAll(async () => {
      stage.bench = await open()
    })

    test('has a manifest without contradictions', () => {
      expect(connectorProblems('giftCards', connector)).toEqual([])
    })
    describe('balance', () => describeBalance(stage))
    for (const operation of stage.operations) describe(operation, () => describeOperation(stage, operation))
    describe('the money of a card', () => {
      describeRedeeming(stage)
      describeGivingBack(stage)
    })
    describe('sync', () => describeSync(stage))
  })
}

function describeBalance(stage: Stage): void {
  const ask = (card: PresentedCard, link?: Link) =>
    stage.connector.balance({ card }, link ?? stage.bench.link)

  test('is the balance of the card', async () => {
    const card = await stage.card(1234)

    const answer = await ask(card)

    expect(answer).toMatchObject({ outcome: 'known', balance: 1234, currency: stage.currency })
    const expiresAt = answer.outcome === 'known' ? answer.expiresAt : null
    if (expiresAt !== null) expect(new Date(expiresAt).toISOString()).toBe(expiresAt)
  })

  test('is refused for a bad card, with a code of the contract', async () => {
    checkRefusal(await ask(await stage.bench.refused()))
  })

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const answer = await ask(await stage.purse(), stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })
}

function describeOperation(stage: Stage, operation: Operation): void {
  test('is done once, and approved', async () => {
    const { ask, attemptId } = await stage.prepare(operation)

    const answer = await ask()

    expect(answer.outcome).toBe('approved')
    expect(referenceOf(answer)).not.toBe('')
    expect(await stage.bench.effectsOf(attemptId)).toBe(1)
  })

  test('is done once when the same attempt comes again, and many times at once', async () => {
    const { ask, attemptId } = await stage.prepare(operation)

    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    const last = await ask()

    expect([...answers, last]).toEqual(Array(5).fill(last))
    expect(last.outcome).toBe('approved')
    expect(await stage.bench.effectsOf(attemptId)).toBe(1)
  })

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const { ask } = await stage.prepare(operation)

    const answer = await ask(stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })

  test('keeps secrets out of addresses and answers, also when a failed request shows what was sent', async () => {
    const { ask } = await stage.prepare(operation)
    const shown: unknown[] = []
    const watched = stage.linkWith((fetch) => (url, init) => {
      shown.push(url)
      return fetch(url, init)
    })
    const talkative = stage.linkWith(() => async (url, init) => {
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    })

    shown.push(await ask(talkative), await ask(watched))

    const text = inspect(shown, { depth: null })
    expect(findLeaks(text, stage.secrets())).toEqual([])
  })
}

function describeSync(stage: Stage): void {
  const sync = (operation: Operation, attemptId: string, link = stage.bench.link) =>
    stage.connector.sync({ operation, attemptId }, link)

  test.each(stage.operations)('tells the same about %s as its answer', async (operation) => {
    const { ask, attemptId } = await stage.prepare(operation)
    const answer = await ask()

    expect(await sync(operation, attemptId)).toEqual(answer)
  })

  test.each(stage.operations)('finds the outcome of %s when its answer was lost', async (operation) => {
    const { ask, attemptId } = await stage.prepare(operation)
    await ask(stage.linkWith(LOST_ANSWER))

    const answer = await sync(operation, attemptId)

    expect(answer).toEqual(await ask())
    expect(answer.outcome).toBe('approved')
    expect(await stage.bench.effectsOf(attemptId)).toBe(1)
  })

  test('tells a refusal', async () => {
    const order = redeemOrder(await stage.card(10), { currency: stage.currency })
    await stage.connector.redeem(order, stage.bench.link)

    const answer = await sync('redeem', order.attemptId)

    expect(answer).toMatchObject({ outcome: 'refused', code: 'insufficient_funds' })
  })

  test.each(stage.operations)(
    'promises no more than it can about %s that never arrived',
    async (operation) => {
      const { ask, attemptId } = await stage.prepare(operation)

      const answer = await sync(operation, attemptId)

      expect(['not_found', 'unknown']).toContain(answer.outcome)
      if (answer.outcome !== 'not_found') return
      expect((await ask()).outcome).not.toBe('approved')
      expect(await stage.bench.effectsOf(attemptId)).toBe(0)
    },
  )

  test('does not mistake one operation for another', async () => {
    const { ask, attemptId } = await stage.prepare('redeem')
    await ask()

    expect((await sync('refund', attemptId)).outcome).toBe('unknown')
  })

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const { ask, attemptId } = await stage.prepare('redeem')
    await ask()

    const answer = await sync('redeem', attemptId, stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })
}
