import { describe, expect, test } from 'vitest'
import { KINDS } from './kinds.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const facts = { scheme: 'visa', now: NOW } as const

describe('an expiry date', () => {
  const { format, read, isValid } = KINDS.expiryDate

  test.each([
    ['1', '1'],
    ['12', '12'],
    ['123', '12 / 3'],
    ['1230', '12 / 30'],
    ['5', '05'],
    ['530', '05 / 30'],
    ['1/', '01'],
    ['1/30', '01 / 30'],
    ['12/2030', '12 / 30'],
    ['122030', '12 / 30'],
    ['2030-12', '12 / 30'],
    ['2030-1', '01 / 30'],
    ['12 / 30', '12 / 30'],
    ['12 / ', '12'],
    ['', ''],
    ['abc', ''],
  ])('typed as %j is shown as %j', (typed, shown) => {
    expect(format(typed)).toBe(shown)
  })

  test.each([
    ['11 / 26', true],
    ['10 / 26', false],
    ['13 / 30', false],
    ['00 / 30', false],
    ['12 / 3', false],
    ['', false],
  ])('%j is valid: %s', (shown, expected) => {
    expect(isValid(shown, facts)).toBe(expected)
  })

  test('is sent as the API wants it', () => {
    expect(read('12 / 30')).toBe('12/30')
  })
})

describe('a number', () => {
  const { format, isValid } = KINDS.number

  test.each([
    ['378282246310005', '3782 822463 10005'],
    ['4111111111111111', '4111 1111 1111 1111'],
    ['6304000000000000000', '6304 0000 0000 0000 000'],
    ['41111111111111111119999', '4111 1111 1111 1111 111'],
    ['30569309025904', '3056 930902 5904'],
  ])('%s is shown as on the card', (typed, shown) => {
    expect(format(typed)).toBe(shown)
  })

  test.each([
    ['4111 1111 1111 1111', true],
    ['4111 1111 1111 1112', false],
    ['4111 1111', false],
    ['', false],
  ])('%j is valid: %s', (shown, expected) => {
    expect(isValid(shown, facts)).toBe(expected)
  })
})

test.each([
  ['visa', undefined, '123', true],
  ['visa', undefined, '1234', false],
  ['amex', undefined, '1234', true],
  ['amex', undefined, '123', false],
  ['other', undefined, '1234', true],
  ['amex', [3], '123', true],
] as const)('a security code of %s with lengths %j: %s is valid: %s', (scheme, lengths, code, expected) => {
  expect(KINDS.securityCode.isValid(code, { scheme, lengths, now: NOW })).toBe(expected)
})

test.each([
  [undefined, 'N1 9GU', true],
  [undefined, '1', false],
  [/^\d{5}$/u, '95113', true],
  [/^\d{5}$/u, 'N1 9GU', false],
])('a postal code with the pattern %s: %s is valid: %s', (pattern, text, expected) => {
  expect(KINDS.postalCode.isValid(text, { ...facts, pattern })).toBe(expected)
})
