import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { type Latency, latencyOf } from '../lab/latency.ts'

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
  /** Sent with POST. Without it the request is a GET. */
  readonly body?: string
  /** Each request has an idempotency key of its own. */
  readonly isKeyed?: boolean
  readonly seconds: number
  /** Ends after so many requests, if that is sooner. */
  readonly amount?: number
}
export type LoadResult = Latency & { readonly requestsPerSecond: number; readonly failures: number }

// The package has no types, which an import would need.
const require = createRequire(import.meta.url)
const autocannon: Autocannon = require('autocannon')

process.on('message', async ({ url, headers, connections, body, isKeyed, seconds, amount }: Load) => {
  const keyed = { requests: [{ setupRequest: withKey }] }
  const request = body === undefined ? {} : { method: 'POST', body, ...(isKeyed && keyed) }
  const tracker = autocannon({
    ...request,
    url,
    headers,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
  })
  // The tool's own histogram counts whole milliseconds, and many requests take about one.
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

type Request = { readonly headers: Readonly<Record<string, string>> }

function withKey(request: Request): Request {
  return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }
}
