import { expect, test } from 'vitest'
import { Turns } from './limiter.ts'

test('runs a fixed number at once, the others in line, also after a failure', async () => {
  const turns = new Turns(2)
  let underWay = 0
  let most = 0
  const order: number[] = []
  const work = (number: number) =>
    turns.take(async () => {
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
