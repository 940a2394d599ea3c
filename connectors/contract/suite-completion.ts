import { expect, test } from 'vitest'
import type { AuthorizeAnswer, Connector } from './connector.ts'
import { checkAnswer } from './suite-answers.ts'
import { referenceOf, type Stage } from './suite-stage.ts'
import { TROUBLES } from './suite-troubles.ts'

export function describeCompletion(stage: Stage): void {
  const { complete } = stage.connector as Required<Pick<Connector, 'complete'>>
  const buyer = () => {
    if (!stage.bench.buyer) throw new Error('the bench asks no buyer')
    return stage.bench.buyer
  }
  const asked = async () => {
    const { ask, ...attempt } = stage.authorization(buyer().asked)
    const answer = (await ask()) as AuthorizeAnswer
    if (answer.outcome !== 'approval_required') throw new Error(`the provider answered ${answer.outcome}`)
    return { attempt, answer, reference: answer.reference }
  }
  const decided = async (decision: 'approve' | 'refuse') => {
    const { attempt, answer, reference } = await asked()
    const returned = await buyer().decide(answer, decision)
    return { attempt, order: stage.completion(attempt, reference, returned) }
  }

  test('finishes what the buyer has approved, once, also many times at once', async () => {
    const { attempt, order } = await decided('approve')
    const finish = () => complete(order, stage.bench.link)

    const twins = await Promise.all([finish(), finish(), finish()])
    const last = await stage.finished(attempt, await finish())

    const answers = [...twins.filter(({ outcome }) => outcome !== 'unknown'), last]
    // A bank that debits pays days later.
    expect(answers.filter(({ outcome }) => outcome !== 'approved' && outcome !== 'pending')).toEqual([])
    expect(last.outcome).toBe('approved')
    expect(new Set(answers.map(referenceOf)).size).toBe(1)
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test('ends what the buyer has refused', async () => {
    const { attempt, order } = await decided('refuse')

    const answer = await complete(order, stage.bench.link)

    checkAnswer(answer)
    expect(['declined', 'failed']).toContain(answer.outcome)
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(0)
  })

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const { order } = await decided('approve')

    const answer = await complete(order, stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })

  test.each(['without parameters', 'with parameters of another payment', 'with invented parameters'])(
    'charges nothing when the buyer comes back %s before a decision',
    async (how) => {
      const { attempt, reference } = await asked()
      const other = how.includes('another') ? (await decided('approve')).order.returned : null
      const invented = how.includes('invented')
        ? { redirectResult: 'x', token: 'x', payment_intent: 'x' }
        : {}

      const order = stage.completion(attempt, reference, other ?? invented)
      const ended = await complete(order, stage.bench.link)

      checkAnswer(ended)
      expect(ended.outcome).not.toBe('approved')
      expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(0)
    },
  )
}
