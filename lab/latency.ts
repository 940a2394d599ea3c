export function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other)
}

/** Between the two nearest values, so that the median of an even number of rounds favours neither side. */
export function percentile(sorted: readonly number[], percent: number): number {
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
