import { expect, test } from 'vitest'
import { convert, exchangeOf } from './rates.ts'

test.each([
  ['EUR', 'USD', 1_000, 1_080],
  ['USD', 'EUR', 1_000, 926],
  ['JPY', 'USD', 1_000, 670],
  ['USD', 'JPY', 1_000, 1_493],
  ['KWD', 'USD', 1_000, 325],
  ['USD', 'KWD', 1_000, 3_077],
  ['USD', 'EUR', -1_000, -926],
  ['EUR', 'USD', 99_999_999, 107_999_999],
])('%s to %s: %i becomes %i', (from, to, amount, converted) => {
  expect(convert(amount, exchangeOf(from, to)?.factor ?? '')).toBe(converted)
})

test('rounds half a minor unit away from zero', () => {
  expect(convert(1, '0.500000')).toBe(1)
  expect(convert(-1, '0.500000')).toBe(-1)
  expect(convert(1, '0.499999')).toBe(0)
})

test('exchanges nothing for itself, and nothing that has no rate', () => {
  expect(exchangeOf('USD', 'USD')).toBeNull()
  expect(exchangeOf('XTS', 'USD')).toBeNull()
  expect(exchangeOf('USD', 'XTS')).toBeNull()
})
