import { expect, test } from 'vitest'
import { amountText, CURRENCIES, isCurrency, minorUnitsOf } from './currency.ts'

/** Currencies that the locale data shows with fewer digits than ISO 4217. */
const FEWER_DIGITS_IN_LOCALES = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' ')

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

test('knows the 165 codes of ISO 4217 that have minor units, in alphabetical order', () => {
  const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)))

  const known = codes.filter(isCurrency)

  expect(known).toHaveLength(165)
  expect(CURRENCIES).toEqual(known)
})

test('every accepted code has minor units, and only 16 differ from the locale data', () => {
  const differing = CURRENCIES.filter((currency) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits !== minorUnitsOf(currency)
  })

  expect(CURRENCIES.map(minorUnitsOf)).not.toContain(undefined)
  expect(differing).toEqual(FEWER_DIGITS_IN_LOCALES)
})

test.each([
  ['metals', ['XAG', 'XAU', 'XPD', 'XPT']],
  ['units of account without minor units', ['XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA']],
  ['codes for tests and for no currency', ['XTS', 'X'.repeat(3)]],
  ['withdrawn currencies', ['ANG', 'BGN', 'CUC', 'DEM', 'HRK', 'SLL', 'ZWL']],
  ['what is no code', ['', 'usd', 'USX', 'US', 'USDX']],
])('%s are refused', (_name, codes) => {
  expect(codes.filter(isCurrency)).toEqual([])
})

test.each([
  [129_900, 'HUF', 'HUF 1,299.00'],
  [1_299_000, 'IQD', 'IQD 1,299.000'],
  [1299, 'JPY', '¥1,299'],
  [1299, 'CLF', 'CLF 0.1299'],
  [1, 'USD', '$0.01'],
  [0, 'USD', '$0.00'],
  [9_007_199_254_740_991, 'USD', '$90,071,992,547,409.91'],
  [1299, 'DEM', '1299 minor units of DEM'],
])('%d of %s is %s', (amount, currency, text) => {
  expect(amountText(amount, currency).replaceAll('\u00a0', ' ')).toBe(text)
})
