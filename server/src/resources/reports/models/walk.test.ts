import { expect, test } from 'vitest'
import { nextStep } from './walk.ts'

const MEGABYTE = 1024 ** 2

test.each([
  ['twice as many after small rows', { step: 250, length: 100_000 }, 500],
  ['never more than two thousand', { step: 2_000, length: 100_000 }, 2_000],
  ['more after a page on which none matched', { step: 250, length: 0 }, 500],
  ['as many as fit into four megabytes', { step: 2_000, length: 40 * MEGABYTE }, 200],
  ['one by one, if one row alone is larger', { step: 1, length: 10 * MEGABYTE }, 1],
])('the next page looks at rows: %s', (_what, { step, length }, next) => {
  expect(nextStep(step, length)).toBe(next)
})
