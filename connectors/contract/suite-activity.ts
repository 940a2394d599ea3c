import { expect, test } from 'vitest'
import { answerProblems } from './check-answer.ts'
import type { Connector, ListedOperation } from './connector.ts'
import type { Stage } from './suite-stage.ts'

const HOUR_MS = 3_600_000
/** Some benches move the clock of their provider. */
const YEAR_MS = 366 * 24 * HOUR_MS

export function describeActivity(stage: Stage, activity: NonNullable<Connector['activity']>): void {
  const list = async (fromMs: number, untilMs: number) => {
    const now = stage.bench.link.now().getTime()
    const window = { from: new Date(now + fromMs), until: new Date(now + untilMs) }
    const found: ListedOperation[] = []
    let after: string | null = null
    do {
      const page = await activity({ ...window, after }, stage.bench.link)
      expect(answerProblems('activity', page)).toEqual([])
      if (page.outcome !== 'listed') throw new Error(page.message)
      found.push(...page.operations)
      after = page.next
    } while (after !== null)
    return found
  }

  test('lists an authorization with our ids, and what became of it', async () => {
    const { order, reference } = await stage.authorized()
    const { attemptId, transactionId, amount, currency } = order

    const found = (await list(-HOUR_MS, YEAR_MS)).find((one) => one.attemptId === attemptId)

    expect(found).toMatchObject({
      operation: 'authorize',
      transactionId,
      authorization: reference,
      amount,
      currency,
      answer: { outcome: expect.stringMatching(/^(approved|pending)$/), reference },
    })
  })

  test('lists nothing of another time', async () => {
    await stage.authorized()

    expect(await list(-3 * HOUR_MS, -2 * HOUR_MS)).toEqual([])
  })

  test('is unreachable when the provider breaks', async () => {
    const broken = stage.linkWith(() => async () => {
      throw new TypeError('fetch failed')
    })
    const window = { from: new Date(0), until: new Date(HOUR_MS), after: null }

    expect(await activity(window, broken)).toEqual({ outcome: 'unreachable', message: expect.any(String) })
  })
}
