import { expect, test } from 'vitest'
import { CODES, readPin } from './pins.ts'

test.each([
  ['01000', 1000],
  ['0', 0],
  ['000', 0],
  ['0000001', 1],
  ['099999999', 99_999_999],
])('the PIN %s is a balance of %i', (pin, balance) => {
  expect(readPin(pin)).toEqual({ result: 'good', balance })
})

test.each(CODES.map((code, index) => [String(index).padStart(4, '0'), code]))(
  'the digits %s are the code %s after any of the three first digits',
  (digits, code) => {
    const kinds = ['1', '2', '3'].map((first) => readPin(first + digits))

    expect(kinds).toEqual([
      { result: 'refused', code, kind: 'validation_error' },
      { result: 'refused', code, kind: 'server_error' },
      { result: 'refused', code, kind: 'client_error' },
    ])
  },
)

test.each([
  ['10', 'invalid_gift_card'],
  ['16', 'insufficient_funds'],
  ['39', 'service_error'],
  ['200', 'invalid_gift_card'],
  ['256', 'insufficient_funds'],
  ['210', 'service_network_error'],
  ['111', 'unknown_error'],
  ['220', 'invalid_gift_card'],
])('the PIN %s is read the older way, as %s', (pin, code) => {
  expect(readPin(pin)).toMatchObject({ result: 'refused', code })
})

test.each(['', '1', '1234', '10012', '100000', '40000', '9', 'abcd', '0a', '1abcd', '0'.repeat(16), '01 '])(
  'the PIN %j is an unknown error',
  (pin) => {
    expect(readPin(pin)).toMatchObject({ result: 'refused', code: 'unknown_error' })
  },
)
