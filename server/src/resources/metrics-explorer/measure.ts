import type { Metric } from './schemas.ts'
import type { Sums } from './store.ts'

const RATE_DIGITS = 4
const PERCENT_DIGITS = 2
const NOTHING: Sums = { payments: 0, successes: 0, volume: 0 }

/** The value of a metric. A rate of no payments is null. */
export function measured(metric: Metric, { payments, successes, volume }: Sums = NOTHING): number | null {
  switch (metric) {
    case 'volume':
      return volume
    case 'transactions':
      return payments
    case 'auth_rate':
      return payments === 0 ? null : rounded(successes / payments, RATE_DIGITS)
  }
}

/** In percent. For a rate, the plain difference. Null without a value to compare with. */
export function deltaOf(metric: Metric, current: number | null, previous: number | null): number | null {
  if (current === null || previous === null) return null
  if (metric === 'auth_rate') return rounded(current - previous, RATE_DIGITS)
  return previous === 0 ? null : rounded(((current - previous) / previous) * 100, PERCENT_DIGITS)
}

export function addUp(all: readonly Sums[]): Sums {
  return all.reduce(
    (sum, { payments, successes, volume }) => ({
      payments: sum.payments + payments,
      successes: sum.successes + successes,
      volume: sum.volume + volume,
    }),
    NOTHING,
  )
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
