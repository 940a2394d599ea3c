import { createRequire } from 'node:module'
import { ascending, percentile } from './figures.ts'

type Tracker = Promise<{ readonly non2xx: number; readonly errors: number; readonly duration: number }> & {
  readonly on: (
    event: 'response',
    listener: (client: unknown, status: number, bytes: number, ms: number) => void,
  ) => void
}
type Autocannon = (options: object) => Tracker

export type Load = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}
export type Latency = { readonly p50: number; readonly p95: number; readonly p99: number }
export type LoadResult = Latency & { readonly requestsPerSecond: number; readonly failures: number }

// The package brings no types, and an import would ask for them.
const require = createRequire(import.meta.url)
const autocannon: Autocannon = require('autocannon')

process.on('message', async ({ url, headers, connections, seconds }: Load) => {
  const tracker = autocannon({ url, headers, connections, duration: seconds })
  // The tool's own histogram counts whole milliseconds, which is as long as many requests take.
  const times: number[] = []
  tracker.on('response', (_client, _status, _bytes, ms) => times.push(ms))
  const { non2xx, errors, duration } = await tracker
  const result: LoadResult = {
    ...latencyOf(times),
    requestsPerSecond: times.length / duration,
    failures: non2xx + errors,
  }
  process.send?.(result)
})

function latencyOf(times: readonly number[]): Latency {
  const sorted = ascending(times)
  return { p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) }
}
