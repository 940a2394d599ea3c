import { expect, test } from 'vitest'
import { CURRENCIES } from './currency.ts'
import { currencyNumberOf } from './currency-number.ts'

test('every currency has a number of three digits, and no two share one', () => {
  const numbers = CURRENCIES.map(currencyNumberOf)

  expect(numbers.filter((number) => !/^[0-9]{3}$/.test(number ?? ''))).toEqual([])
  expect(new Set(numbers).size).toBe(CURRENCIES.length)
})

test('the numbers are those of ISO 4217', () => {
  const known = { USD: '840', EUR: '978', GBP: '826', JPY: '392', AUD: '036', KWD: '414', XCG: '532' }

  for (const [currency, number] of Object.entries(known)) expect(currencyNumberOf(currency)).toBe(number)
  expect(currencyNumberOf('ZZZ')).toBeUndefined()
})
