import { expect, test } from 'vitest'
import { passesLuhn, schemeOf } from '#domain/card.ts'
import { isNumber, newNumber, newPin } from './numbers.ts'

test('numbers are of 16 digits, checked by the last one, and of no card scheme', () => {
  const numbers = Array.from({ length: 200 }, newNumber)

  expect(numbers.filter((number) => !/^9000\d{12}$/.test(number) || !passesLuhn(number))).toEqual([])
  expect(new Set(numbers.map(schemeOf))).toEqual(new Set(['other']))
  expect(new Set(numbers).size).toBe(200)
  expect(numbers.every(isNumber)).toBe(true)
})

test('PINs are of six digits', () => {
  const pins = Array.from({ length: 200 }, newPin)

  expect(pins.filter((pin) => !/^\d{6}$/.test(pin))).toEqual([])
  expect(new Set(pins).size).toBeGreaterThan(150)
})

test.each(['', '9000', '4111111111111111', '9000000000000000000', '900000000000000x', '9000000000000002'])(
  '%j cannot be one of ours',
  (text) => {
    expect(isNumber(text)).toBe(false)
  },
)
