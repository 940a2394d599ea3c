import { expect, test } from 'vitest'
import { nextCheck, nextCheckForAMonth } from './store.ts'

test('an unknown outcome is asked for after 1 minute, 5 minutes, 1 hour, then daily', () => {
  const now = new Date('2026-11-15T00:00:00Z')

  const minutes = [0, 1, 2, 3, 40].map((checks) => (nextCheck(now, checks).getTime() - +now) / 60_000)

  expect(minutes).toEqual([1, 5, 60, 1440, 1440])
})

test('what moves no money is asked for until thirty days have passed', () => {
  const start = new Date('2026-11-15T00:00:00Z')
  let [now, checks] = [start, 0]
  for (let next: Date | undefined = start; next; next = nextCheckForAMonth(now, checks++)) now = next

  expect(Math.floor((now.getTime() - start.getTime()) / 86_400_000)).toBe(30)
})
