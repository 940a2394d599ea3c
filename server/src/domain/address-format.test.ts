import { expect, test } from 'vitest'
import { examplePostalCode, formatOf, postalCodeOf, statesOf } from './address-format.ts'
import { COUNTRIES } from './country.ts'

const orderOf = (country: string) => formatOf(country).parts.map(({ name }) => name)

test.each([
  ['DE', ['line1', 'line2', 'postal_code', 'city']],
  ['US', ['line1', 'line2', 'city', 'state', 'postal_code']],
  ['JP', ['postal_code', 'state', 'city', 'line1', 'line2']],
  ['HU', ['city', 'line1', 'line2', 'postal_code']],
  ['HK', ['line1', 'line2', 'city']],
])('the parts of an address in %s are in its order', (country, order) => {
  expect(orderOf(country)).toEqual(order)
})

test('every country asks for each part at most once, and its own example is a postal code', () => {
  for (const country of COUNTRIES) {
    const order = orderOf(country)
    expect(new Set(order).size, country).toBe(order.length)
    expect(order, country).toContain('line1')
    const example = examplePostalCode(country)
    if (example) expect(postalCodeOf(country, example), country).toBe(example)
    // A code that is needed has a form.
    const needed = formatOf(country).parts.find(({ name }) => name === 'postal_code')?.isNeeded
    if (needed) expect(example, country).toBeDefined()
  }
})

test.each([
  ['NL', '1012js', '1012 JS'],
  ['PL', '00001', '00-001'],
  ['GB', 'sw1a1aa', 'SW1A 1AA'],
  ['GB', 'M1 1AE', 'M1 1AE'],
  ['CA', 'k1a-0b1', 'K1A 0B1'],
  ['US', '95113', '95113'],
  ['US', '951131234', '95113-1234'],
  ['JP', '１０００００１', '100-0001'],
  ['SA', '١٢٣٤٥', '12345'],
  ['LT', 'lt01100', 'LT-01100'],
  ['IE', 'd6wxy45', 'D6W XY45'],
  ['IE', '12345', undefined],
  ['IE', 'd02 x285', 'D02 X285'],
  ['DE', '1234', undefined],
  ['US', '9511', undefined],
  ['NL', '1012', undefined],
  ['AE', 'anything', 'ANYTHING'],
])('in %s, %s is written %s', (country, typed, written) => {
  expect(postalCodeOf(country, typed)).toBe(written)
})

test('states that are chosen have codes of ISO 3166-2, each once', () => {
  for (const country of COUNTRIES) {
    const states = statesOf(country)
    expect(new Set(states.map(({ code }) => code)).size).toBe(states.length)
    for (const { code, name } of states) {
      expect(code).toMatch(/^[A-Z]{2}-[A-Z]{2,3}$/)
      expect(name).toMatch(/^[\p{L}( )]+$/u)
    }
  }
  expect(statesOf('US')).toHaveLength(54)
  expect(statesOf('BR')).toHaveLength(27)
  expect(statesOf('MX')).toHaveLength(32)
  expect(statesOf('IN')).toHaveLength(36)
  expect(statesOf('DE')).toEqual([])
})
