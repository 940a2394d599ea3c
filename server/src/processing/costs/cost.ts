import type { Paid } from '../scores/score.ts'

/** What a service has charged for settled payments of one segment. All sums fade together. */
export type Fees = {
  readonly payments: number
  readonly amounts: number
  readonly fees: number
  /** Of each payment the amount times itself, and the amount times the fee. */
  readonly squares: number
  readonly products: number
  readonly last_settled_at: Date
}

/** Prices change a few times a year. */
export const HALF_LIFE_MS = 30 * 24 * 3_600_000
const ENOUGH = 100

const SEPARATOR = ' '
const MISSING = '-'

/** From coarse to fine. A fixed fee is in a currency, so even the coarsest has one. */
export function costSegmentsOf({ method, scheme, currency, country }: Paid): readonly string[] {
  const coarse = [method ?? MISSING, currency].join(SEPARATOR)
  const middle = [coarse, scheme ?? MISSING].join(SEPARATOR)
  return [coarse, middle, [middle, country ?? MISSING].join(SEPARATOR)]
}

/** Nothing in a hundred settlements means that the provider bills its fees elsewhere, not that it is free. */
export function areEnough({ payments, fees }: Fees): boolean {
  return Math.round(payments) >= ENOUGH && fees > 0
}

/** Amounts that hardly differ say nothing of a fixed part. */
const SPREAD_MIN = 1e-6

/**
 * The fee to expect for an amount: a share of it and a fixed part, as they fit the settled payments best. If the fit makes no sense as
 * a price, then the share alone.
 */
export function feeFor({ payments, amounts, fees, squares, products }: Fees, amount: number): number {
  const share = fees / amounts
  const spread = payments * squares - amounts ** 2
  if (spread < SPREAD_MIN * amounts ** 2) return share * amount
  const slope = (payments * products - amounts * fees) / spread
  const fixed = (fees - slope * amounts) / payments
  return slope < 0 || fixed < 0 ? share * amount : fixed + slope * amount
}

export function sumOfFees(all: readonly Fees[]): Fees {
  const sumOf = (name: Exclude<keyof Fees, 'last_settled_at'>) => all.reduce((sum, one) => sum + one[name], 0)
  return {
    payments: sumOf('payments'),
    amounts: sumOf('amounts'),
    fees: sumOf('fees'),
    squares: sumOf('squares'),
    products: sumOf('products'),
    last_settled_at: new Date(Math.max(...all.map((one) => one.last_settled_at.getTime()))),
  }
}

export function feesOf({ amount, fee, at }: { amount: number; fee: number; at: Date }): Fees {
  return {
    payments: 1,
    amounts: amount,
    fees: fee,
    squares: amount ** 2,
    products: amount * fee,
    last_settled_at: at,
  }
}
