import { ascending, percentile } from '../lab/latency.ts'

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
  /** A folder with another version of the service, to run beside this one. */
  readonly beside?: string
}

export type Outcome = { readonly settings: readonly string[]; readonly figures: readonly Figure[] }

export type Benchmark = {
  readonly name: string
  readonly title: string
  readonly explanation: string
  /** Its figures depend on the number of rows. */
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

export const atLeast = (limit: number): Target => ({ is: 'at least', limit })
export const atMost = (limit: number): Target => ({ is: 'at most', limit })

type Row<Round> = readonly [
  name: string,
  unit: string,
  read: (round: Round) => number,
  target?: Target | undefined,
]

/** A figure for each row: what it reads of each round. */
export function figuresOf<Round>(rounds: readonly Round[], table: readonly Row<Round>[]): Figure[] {
  return table.map(([name, unit, read, target]) =>
    figure({ name, unit, ...(target && { target }) }, rounds.map(read)),
  )
}

/** A number is its own round. */
export const itself = (value: number): number => value

/** Compares the measured value: 0.496 is shown as 0.5, and still misses a target of 0.5. */
export function isMet({ median, target }: Figure): boolean {
  if (!target) return true
  return target.is === 'at least' ? median >= target.limit : median <= target.limit
}
