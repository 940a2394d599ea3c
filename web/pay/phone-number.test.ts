import { expect, test } from 'vitest'
import { COUNTRIES } from '../../server/src/domain/country.ts'
import { codeOf, phoneNumberOf } from './phone-number.ts'

test.each([
  ['0170 1234567', 'DE', '+491701234567'],
  ['(415) 555-0123', 'US', '+14155550123'],
  ['1 415 555 0123', 'CA', '+14155550123'],
  ['+44 (0)20 7946 0018', 'GB', '+442079460018'],
  ['0049 170 1234567', 'FR', '+491701234567'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['06 12 345 678', 'IT', '+390612345678'],
  ['06 30 123 4567', 'HU', '+36301234567'],
  ['8 912 345 67 89', 'KZ', '+79123456789'],
  ['٠٥٠١٢٣٤٥٦٧', 'SA', '+966501234567'],
  ['٠٥٠١٢٣٤٥٦٧', '', undefined],
  ['０９０-1234-5678', 'JP', '+819012345678'],
  ['123', 'DE', undefined],
  ['0501234567', 'US', undefined],
  ['call me', 'DE', undefined],
  ['+1234567890123456', 'US', undefined],
])('%s in %s is %s', (typed, country, number) => {
  expect(phoneNumberOf(typed, country)).toBe(number)
})

test('almost every country has a calling code', () => {
  // Countries without inhabitants, or without numbers of their own.
  expect(COUNTRIES.filter((country) => codeOf(country) === undefined)).toEqual([
    'AQ',
    'BV',
    'GS',
    'HM',
    'PN',
    'TF',
    'UM',
  ])
})
