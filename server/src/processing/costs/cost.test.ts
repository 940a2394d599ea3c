import { expect, test } from 'vitest'
import { areEnough, costSegmentsOf, type Fees, feeFor, feesOf } from './cost.ts'

const AT = new Date('2026-11-15T09:30:00Z')

function settled(payments: readonly (readonly [amount: number, fee: number])[]): Fees {
  const each = payments.map(([amount, fee]) => feesOf({ amount, fee, at: AT }))
  const sum = (pick: (one: Fees) => number) => each.reduce((total, one) => total + pick(one), 0)
  return {
    payments: each.length,
    amounts: sum(({ amounts }) => amounts),
    fees: sum(({ fees }) => fees),
    squares: sum(({ squares }) => squares),
    products: sum(({ products }) => products),
    last_settled_at: AT,
  }
}

test.each<[name: string, payments: [number, number][], amount: number, fee: number]>([
  [
    'a share and a fixed part',
    [
      [1_000, 59],
      [2_000, 88],
      [5_000, 175],
    ],
    10_000,
    320,
  ],
  [
    'a share alone',
    [
      [1_000, 15],
      [2_000, 30],
    ],
    3_000,
    45,
  ],
  [
    'amounts that are all the same',
    [
      [1_000, 50],
      [1_000, 50],
    ],
    2_000,
    100,
  ],
  [
    'fees that fall with the amount, which no price does',
    [
      [1_000, 100],
      [2_000, 50],
    ],
    1_500,
    75,
  ],
  [
    'a fixed part below zero, which no price has',
    [
      [1_000, 10],
      [2_000, 50],
    ],
    1_500,
    30,
  ],
])('tells the fee of an amount from %s', (_name, payments, amount, fee) => {
  expect(feeFor(settled(payments), amount)).toBeCloseTo(fee, 6)
})

test('a hundred payments are enough, unless they cost nothing', () => {
  const many = (count: number, fee: number) =>
    settled(Array.from({ length: count }, () => [1_000, fee] as const))

  expect([many(99, 10), many(100, 10), many(100, 0)].map(areEnough)).toEqual([false, true, false])
})

test('the currency is in every segment: a fixed fee has one', () => {
  expect(costSegmentsOf({ method: 'card', scheme: 'visa', currency: 'EUR', country: null })).toEqual([
    'card EUR',
    'card EUR visa',
    'card EUR visa -',
  ])
})
