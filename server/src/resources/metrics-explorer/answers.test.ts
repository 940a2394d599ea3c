import { expect, test } from 'vitest'
import type { Scope } from '#platform/database/db.ts'
import { Answers } from './answers.ts'

const scope = { merchantAccountId: 'default', clock: () => new Date() } as Scope

test('a question that fails before it is asked fails alone', async () => {
  const answers = new Answers(1)
  const failing = answers.find(scope, 'bad', () => {
    throw new Error('no answer')
  })
  const good = answers.find(scope, 'good', async () => 42)

  await expect(failing).rejects.toThrow('no answer')
  expect(await good).toBe(42)
})

test('an account that asks without pause does not keep another one waiting', async () => {
  const answers = new Answers(1)
  const order: string[] = []
  const ask = (merchantAccountId: string, question: string) =>
    answers.find({ ...scope, merchantAccountId }, question, async () => order.push(merchantAccountId))

  const many = Array.from({ length: 3 }, (_none, index) => ask('many', String(index)))
  await ask('few', 'only')

  expect(order).toEqual(['many', 'few'])
  await Promise.all(many)
})

test.each([
  { busyness: 0, share: 0.5 },
  { busyness: 1, share: 6 },
])(
  'an account pauses $share times as long as its question took if the process is busy by $busyness',
  async ({ busyness, share }) => {
    const answers = new Answers(1, () => busyness)
    const workMs = 200
    const begun: number[] = []
    const ask = (question: string) =>
      answers.find(scope, question, async () => {
        begun.push(performance.now())
        await new Promise((resolve) => setTimeout(resolve, workMs))
        return question
      })

    await Promise.all([ask('first'), ask('second')])

    const [first = 0, second = 0] = begun
    expect(second - first).toBeGreaterThanOrEqual(workMs * (1 + share) - 20)
  },
)
