import { expect, test } from 'vitest'
import { FairTurns } from './limiter.ts'

const rules = { atOnce: 1, waitingMax: 10, waitMaxMs: 60_000, refusal: () => new Error('too many') }

test('a holder with many things to do lets others take turns in between', async () => {
  const turns = new FairTurns(rules)
  const order: string[] = []
  const take = (holder: string) => turns.take(holder, async () => void order.push(holder))

  await Promise.all([take('many'), take('many'), take('many'), take('few'), take('few')])

  expect(order).toEqual(['many', 'few', 'many', 'few', 'many'])
})

test('a holder that rests holds up no other', async () => {
  const turns = new FairTurns({ ...rules, restMs: () => 60_000 })

  const answers = await Promise.all(['a', 'b', 'c'].map((holder) => turns.take(holder, async () => holder)))

  expect(answers).toEqual(['a', 'b', 'c'])
})

test('one more than may wait is refused, and a failure is that of one alone', async () => {
  const turns = new FairTurns({ ...rules, waitingMax: 2 })
  const work = (result: string) => turns.take('a', async () => result)
  const broken = turns.take('a', () => {
    throw new Error('broken')
  })

  const results = await Promise.allSettled([broken, work('second'), work('third')])
  const later = await work('fourth')

  expect(results).toMatchObject([
    { reason: { message: 'broken' } },
    { value: 'second' },
    { reason: { message: 'too many' } },
  ])
  expect(later).toBe('fourth')
})

test('what has waited too long is refused', async () => {
  const turns = new FairTurns({ ...rules, waitMaxMs: -1 })

  await expect(turns.take('a', async () => 1)).rejects.toThrow('too many')
})
