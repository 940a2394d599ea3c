import { expect, test } from 'vitest'
import { CURRENCIES, minorUnitsOf } from '#domain/currency.ts'
import { fromStripeAmount, STRIPE_CURRENCIES, stripeDecimalsOf, toStripeAmount } from './currency.ts'

test.each([
  ['USD', 1299, 1299],
  ['JPY', 500, 500],
  ['ISK', 500, 50_000],
  ['UGX', 500, 50_000],
  ['HUF', 129_900, 129_900],
  ['TWD', 129_900, 129_900],
  ['MGA', 50_000, 500],
  ['KWD', 5_120, 5_120],
])('an amount in %s', (currency, own, stripe) => {
  expect(toStripeAmount(own, currency)).toBe(stripe)
  expect(fromStripeAmount(stripe, currency)).toBe(own)
  expect(fromStripeAmount(stripe, currency.toLowerCase())).toBe(own)
})

test.each([
  ['KWD', 5_124],
  ['BHD', 1],
  ['MGA', 50_001],
])('an amount in %s that Stripe would round is refused', (currency, amount) => {
  expect(toStripeAmount(amount, currency)).toBeNull()
})

test('part of a króna cannot be stated in our units', () => {
  expect(fromStripeAmount(550, 'isk')).toBeNull()
})

test('only the listed currencies differ from ISO 4217', () => {
  const differing = CURRENCIES.filter((currency) => minorUnitsOf(currency) !== stripeDecimalsOf(currency))

  expect(differing.filter((currency) => STRIPE_CURRENCIES.includes(currency))).toEqual(['ISK', 'MGA', 'UGX'])
  expect(STRIPE_CURRENCIES.filter((currency) => !CURRENCIES.includes(currency))).toEqual([])
})

test('an amount that Stripe takes comes back as it was', () => {
  for (const currency of STRIPE_CURRENCIES) {
    const sent = toStripeAmount(120_000, currency)
    expect(fromStripeAmount(sent ?? -1, currency)).toBe(120_000)
  }
})
