import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Latency, latencyOf } from '../lab/latency.ts'

export type Arrivals = Latency & {
  readonly count: number
  /** From the first to the last, in seconds. */
  readonly seconds: number
}

/** Where a server never answers. */
export const STALLED_PATH = '/stalled'

/** A server that accepts every event at once, except at one path. It notes the age of each event at its first arrival. */
const seen = new Set<string>()
let lags: number[] = []
let first = 0
let last = 0

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.url === STALLED_PATH) return
  response.end()
  const { id, created_at } = JSON.parse(Buffer.concat(chunks).toString())
  const now = Date.now()
  const key = `${request.url} ${id}`
  if (seen.has(key)) return
  seen.add(key)
  lags.push(now - Date.parse(created_at))
  first ||= now
  last = now
})

process.on('message', (message: 'listen' | 'count' | 'read') => {
  if (message === 'listen') {
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  }
  if (message === 'count') process.send?.({ count: lags.length })
  if (message === 'read') {
    const arrivals: Arrivals = { ...latencyOf(lags), count: lags.length, seconds: (last - first) / 1000 }
    process.send?.(arrivals)
    lags = []
    first = 0
  }
})
