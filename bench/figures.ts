type Target = { readonly is: 'at least' | 'at most'; readonly limit: number }

/** One measured quantity: the median of several rounds, with the lowest and highest of them. */
export type Figure = {
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly low: number
  readonly high: number
  readonly target?: Target
}

export type Pace = {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** How many rows a large table holds. */
  readonly rows: number
  /** How many cards a vault holds. */
  readonly cards: number
}

export type Outcome = { readonly settings: readonly string[]; readonly figures: readonly Figure[] }

export type Benchmark = {
  readonly name: string
  readonly title: string
  readonly explanation: string
  /** What it finds depends on how many rows there are. */
  readonly isByRows?: boolean
  readonly run: (pace: Pace, progress: (text: string) => void) => Promise<Outcome>
}

type Description = { readonly name: string; readonly unit: string; readonly target?: Target }

export function figure(description: Description, rounds: readonly number[]): Figure {
  const sorted = ascending(rounds)
  return {
    ...description,
    median: percentile(sorted, 50),
    low: percentile(sorted, 0),
    high: percentile(sorted, 100),
  }
}

/** Held against the value as measured: 0.496 is shown as 0.5, and is still below it. */
export function isMet({ median, target }: Figure): boolean {
  if (!target) return true
  return target.is === 'at least' ? median >= target.limit : median <= target.limit
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other)
}

/** Between the two nearest values, so that the median of an even number of rounds favours neither side. */
function percentile(sorted: readonly number[], percent: number): number {
  const position = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

export type Latency = { readonly p50: number; readonly p95: number; readonly p99: number }

export function latencyOf(times: readonly number[]): Latency {
  const sorted = ascending(times)
  return { p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) }
}
