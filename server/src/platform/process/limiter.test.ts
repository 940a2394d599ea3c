import { expect, test } from 'vitest'
import { FairLimiter, Limiter } from './limiter.ts'

test('runs a fixed number at once, the others in line, also after a failure', async () => {
  const limiter = new Limiter(2)
  let underWay = 0
  let most = 0
  const order: number[] = []
  const work = (number: number) =>
    limiter.run(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      order.push(number)
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      if (number === 0) throw new Error('broken')
      return number
    })

  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(work))

  expect(most).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')])
})

const rules = { atOnce: 1, waitingMax: 10, waitMaxMs: 60_000, refusal: () => new Error('too many') }

test('a holder with many things to do lets others take turns in between', async () => {
  const limiter = new FairLimiter(rules)
  const order: string[] = []
  const take = (holder: string) => limiter.run(holder, async () => void order.push(holder))

  await Promise.all([take('many'), take('many'), take('many'), take('few'), take('few')])

  expect(order).toEqual(['many', 'few', 'many', 'few', 'many'])
})

test('a holder that rests holds up no other', async () => {
  const limiter = new FairLimiter({ ...rules, restMs: () => 60_000 })

  const answers = await Promise.all(['a', 'b', 'c'].map((holder) => limiter.run(holder, async () => holder)))

  expect(answers).toEqual(['a', 'b', 'c'])
})

test('one more than may wait is refused, and a failure is that of one alone', async () => {
  const limiter = new FairLimiter({ ...rules, waitingMax: 2 })
  const work = (result: string) => limiter.run('a', async () => result)
  const broken = limiter.run('a', () => {
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
  const limiter = new FairLimiter({ ...rules, waitMaxMs: -1 })

  await expect(limiter.run('a', async () => 1)).rejects.toThrow('too many')
})
