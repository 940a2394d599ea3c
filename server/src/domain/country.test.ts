import { expect, test } from 'vitest'
import { isCountry } from './country.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

test('knows the 249 countries of ISO 3166 and Kosovo, and each has a name', () => {
  const known = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(isCountry)

  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(known.length).toBe(250)
  expect(known.filter((code) => names.of(code) === undefined)).toEqual([])
})

test.each(['', 'XX', 'ZZ', 'UK', 'EU', 'SU', 'AN', 'us', 'USA', 'U'])('"%s" is no country', (code) => {
  expect(isCountry(code)).toBe(false)
})
