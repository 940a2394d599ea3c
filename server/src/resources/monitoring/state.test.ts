import { describe, expect, test } from 'vitest'
import { hasIncidents, incidentStep, isHealthy, type Run, rateOf, runAfter } from './state.ts'

describe('the rate', () => {
  test.each([
    [0, 0, null],
    [0, 4, 0],
    [3, 4, 0.75],
    [17, 20, 0.85],
    [4, 4, 1],
  ])('of %i authorized among %i decided payments is %s', (authorized, decided, rate) => {
    expect(rateOf({ authorized, decided })).toBe(rate)
  })
})

describe('a rate is healthy', () => {
  test.each([
    // rate, alert_gt, alert_lt, healthy
    [0.84, null, 0.85, false],
    [0.85, null, 0.85, true],
    [0.86, null, 0.85, true],
    [0.99, 0.98, null, false],
    [0.98, 0.98, null, true],
    [0.5, 0.9, 0.4, true],
    [0.3, 0.9, 0.4, false],
    [0.95, 0.9, 0.4, false],
    [0, null, 0, true],
    [1, 1, null, true],
    [0.5, 0.5, 0.5, true],
    [null, 0.9, 0.4, null],
    [0.5, null, null, null],
  ])('%s, with alerts above %s and below %s: %s', (rate, alert_gt, alert_lt, healthy) => {
    expect(isHealthy(rate, { alert_gt, alert_lt })).toBe(healthy)
  })
})

/** Samples in order: `a` is an alert, `h` healthy, `-` has no value. The last letters say what each did. */
describe.each([
  { n: [1, 1], samples: 'aha', steps: 'oco' },
  { n: [3, 2], samples: 'aaa', steps: '..o' },
  { n: [3, 2], samples: 'aahaaa', steps: '.....o' },
  { n: [3, 2], samples: 'aa-a', steps: '...o' },
  { n: [3, 2], samples: 'a--a--a', steps: '......o' },
  { n: [3, 2], samples: 'aaa-', steps: '..o.' },
  { n: [3, 2], samples: 'aaahh', steps: '..o.c' },
  { n: [3, 2], samples: 'aaahahh', steps: '..o...c' },
  { n: [3, 2], samples: 'aaah-h', steps: '..o..c' },
  { n: [3, 2], samples: 'aaaaaa', steps: '..o...' },
  { n: [3, 2], samples: 'aaahhhaaa', steps: '..o.c...o' },
  { n: [2, 2], samples: 'hhhh', steps: '....' },
  { n: [2, 2], samples: '----', steps: '....' },
  { n: [10, 10], samples: 'aaaaaaaaaahhhhhhhhhh', steps: '.........o.........c' },
])('with $n, $samples', ({ n: [create_after_n = 0, close_after_n = 0], samples, steps }) => {
  test(`does ${steps}`, () => {
    let run: Run = null
    let isOpen = false
    const done = [...samples].map((letter) => {
      const healthy = letter === '-' ? null : letter === 'h'
      run = runAfter(run, healthy)
      const step = incidentStep({ healthy, run, isOpen }, { create_after_n, close_after_n })
      if (step) isOpen = step === 'open'
      return step?.replace('open', 'o').replace('close', 'c') ?? '.'
    })

    expect(done.join('')).toBe(steps)
  })
})

test('a lower number applies from the next sample on', () => {
  const run = { healthy: false, length: 5 }
  const patience = { create_after_n: 2, close_after_n: 2 }

  expect(incidentStep({ healthy: null, run, isOpen: false }, patience)).toBeNull()
  expect(incidentStep({ healthy: false, run, isOpen: false }, patience)).toBe('open')
})

test.each([
  [{ alert_gt: null, alert_lt: null, create_after_n: 1, close_after_n: 1 }, false],
  [{ alert_gt: null, alert_lt: 0.5, create_after_n: null, close_after_n: null }, false],
  [{ alert_gt: null, alert_lt: 0.5, create_after_n: 1, close_after_n: 1 }, true],
  [{ alert_gt: 0.5, alert_lt: null, create_after_n: 1, close_after_n: 1 }, true],
])('incidents need a threshold and numbers: %o', (policies, expected) => {
  expect(hasIncidents(policies)).toBe(expected)
})

test('without numbers, nothing opens or closes an incident', () => {
  const never = { create_after_n: null, close_after_n: null }

  for (const healthy of [true, false]) {
    const step = incidentStep({ healthy, run: { healthy, length: 9 }, isOpen: healthy }, never)
    expect(step).toBeNull()
  }
})
