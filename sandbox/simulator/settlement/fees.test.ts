import { expect, test } from 'vitest'
import { feesOf, givenBack } from './fees.ts'

test('the parts add up to 1.4 per cent and 20, whatever the amount', () => {
  expect(feesOf(1_299)).toEqual({ commission: 38, interchange: 20, schemeFee: 3, markup: 15 })
  for (let amount = 1; amount < 5_000; amount++) {
    const { commission, interchange, schemeFee, markup } = feesOf(amount)
    expect(commission).toBe(Math.round(amount * 0.014 + 1e-9) + 20)
    expect(interchange + schemeFee + markup).toBe(commission)
  }
})

test('a settlement that is taken back gives its fees back', () => {
  expect(givenBack(feesOf(1_299))).toEqual({ commission: -38, interchange: -20, schemeFee: -3, markup: -15 })
})
