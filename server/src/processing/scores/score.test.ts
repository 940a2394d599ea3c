import { describe, expect, test } from 'vitest'
import { lessonOf } from './board.ts'
import {
  added,
  countOf,
  drawRate,
  intervalOf,
  isAside,
  randomFrom,
  rateOf,
  readSegment,
  type Score,
  scoreOf,
  segmentsOf,
} from './score.ts'

const START = Date.parse('2026-11-15T09:30:00Z')
const HOUR_MS = 3_600_000

/** Outcomes a second apart: 1 is a success. */
function learned(outcomes: readonly number[]): Score {
  const scores = outcomes.map((outcome, index) => scoreOf(outcome === 1, new Date(START + index * 1_000)))
  const last = scores.reduce<Score | null>(added, null)
  if (!last) throw new Error('nothing was learned')
  return last
}

const times = (count: number, outcome: number) => Array.from({ length: count }, () => outcome)

describe('a score', () => {
  test('forgets half of what it knows after a thousand payments', () => {
    const old = learned(times(100, 0))
    const now = times(1_000, 1).reduce((score) => added(score, scoreOf(true, old.last_outcome_at)), old)

    expect(now.failures / old.failures).toBeCloseTo(0.5, 6)
    expect(rateOf(now)).toBeGreaterThan(0.9)
  })

  test('forgets half of what it knows after six hours, and does not grow when the clock goes back', () => {
    const old = learned(times(10, 0))
    const at = (ms: number) => scoreOf(true, new Date(old.last_outcome_at.getTime() + ms))
    const later = added(old, at(6 * HOUR_MS))
    const earlier = added(old, at(-6 * HOUR_MS))

    expect(later.failures / old.failures).toBeCloseTo(0.5, 3)
    expect(countOf(earlier)).toBeLessThanOrEqual(countOf(old) + 1)
    expect(earlier.last_outcome_at).toEqual(old.last_outcome_at)
  })

  test('adds a batch as it adds the payments of the batch one by one, but for what fades meanwhile', () => {
    const outcomes = [1, 1, 0, 1, 0, 0]
    const whole = learned([...times(50, 1), ...outcomes])
    const batched = added(learned(times(50, 1)), learned(outcomes))

    expect(batched.failures_in_a_row).toBe(whole.failures_in_a_row)
    expect(batched.failing_since).toBeInstanceOf(Date)
    expect(batched.successes).toBeCloseTo(whole.successes, 0)
  })

  test('has an interval that narrows with the number of payments', () => {
    const few = intervalOf({ successes: 9, failures: 1 })
    const many = intervalOf({ successes: 900, failures: 100 })

    expect([few.low < 0.6, few.high > 0.95, many.low > 0.87, many.high < 0.92]).toEqual([
      true,
      true,
      true,
      true,
    ])
  })
})

describe('a service is set aside', () => {
  test.each([
    ['one that always succeeds, after four failures', times(500, 1), 4],
    [
      'one that fails every nineteenth time, after four',
      [...times(90, 1), ...times(10, 0), ...times(90, 1)],
      4,
    ],
    ['one of which nothing is known, after fourteen', [], 14],
  ])('%s', (_name, before, failures) => {
    const isAsideAfter = (count: number) => isAside(learned([...before, ...times(count, 0)]))

    expect(isAsideAfter(failures)).toBe(true)
    expect(isAsideAfter(failures - 1)).toBe(false)
  })

  test('until one payment succeeds', () => {
    expect(isAside(learned([...times(100, 1), ...times(20, 0), 1]))).toBe(false)
  })
})

describe('a draw', () => {
  test('is the same for the same seed', () => {
    const score = { successes: 80, failures: 20 }

    expect(drawRate(score, randomFrom('a'))).toBe(drawRate(score, randomFrom('a')))
    expect(drawRate(score, randomFrom('a'))).not.toBe(drawRate(score, randomFrom('b')))
  })

  test('lies around the rate, the closer the more is known', () => {
    const random = randomFrom('spread')
    const spread = (scale: number) => {
      const draws = Array.from({ length: 2_000 }, () =>
        drawRate({ successes: 9 * scale, failures: scale }, random),
      )
      const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
      const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length
      return { mean, deviation: Math.sqrt(variance) }
    }
    const [little, much] = [spread(1), spread(100)]

    expect(much.mean).toBeCloseTo(0.9, 2)
    expect(much.deviation).toBeCloseTo(Math.sqrt((0.9 * 0.1) / 1000), 2)
    expect(little.deviation).toBeGreaterThan(5 * much.deviation)
  })
})

test.each([
  ['approved', { outcome: 'approved', reference: 'r', facts: {} }, 'success'],
  ['lost', { outcome: 'unknown', reason: 'lost' }, 'failure'],
  [
    'refused by the service',
    { outcome: 'failed', code: 'service_error', isRetriable: true, reference: null, facts: {} },
    'failure',
  ],
  [
    'refused by the bank of the buyer for want of money',
    { outcome: 'declined', code: 'insufficient_funds', isRetriable: false, reference: null, facts: {} },
    null,
  ],
] as const)('a payment that is %s teaches as much as it should', (_name, answer, lesson) => {
  expect(lessonOf(answer)).toBe(lesson)
})

test('segments go from coarse to fine, and can be read again', () => {
  const paid = { method: 'card', scheme: 'visa', currency: 'EUR', country: null }

  expect(segmentsOf(paid)).toEqual(['card', 'card visa', 'card visa EUR -'])
  expect(readSegment('card visa EUR -')).toEqual(paid)
  expect(readSegment('card')).toEqual({ method: 'card', scheme: null, currency: null, country: null })
})
