import { expect, test } from 'vitest'
import { nextCheck } from './due.ts'

test('an unknown outcome is asked for after 1 minute, 5 minutes, 1 hour, then daily', () => {
  const now = new Date('2026-11-15T00:00:00Z')

  const minutes = [0, 1, 2, 3, 40].map((checks) => (nextCheck(now, checks).getTime() - +now) / 60_000)

  expect(minutes).toEqual([1, 5, 60, 1440, 1440])
})
