import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { type Latency, latencyOf } from '../lab/latency.ts'

/** A program of its own: requests that come at their own pace, whether or not the earlier ones were answered. */
export type Flood = {
  readonly url: string
  readonly token: string
  /** To which each request adds an `external_identifier` of its own. */
  readonly body: object
  readonly perSecond: number
  readonly seconds: number
  /** At most so many requests wait for an answer. Further ones are not sent. */
  readonly connections: number
}

export type Flooded = {
  readonly sent: number
  /** Requests that were not sent because too many others waited for an answer. */
  readonly missed: number
  /** The external identifiers of payments that were answered 201. */
  readonly paid: readonly string[]
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Refusals without `Retry-After`. */
  readonly withoutRetryAfter: number
  /** Requests that were never answered. */
  readonly cut: number
  /** Of requests that were carried out. */
  readonly latency: Latency
  /** Of requests that were refused. */
  readonly latencyOfRefusals: Latency
}

const TICK_MS = 10
const ANSWER_MS_MAX = 120_000

process.on('message', (flood: Flood) => {
  void send(flood).then((flooded) => process.send?.(flooded))
})

async function send({ url, token, body, perSecond, seconds, connections }: Flood): Promise<Flooded> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses: Record<string, number> = {}
  const paid: string[] = []
  const done: number[] = []
  const refused: number[] = []
  let [sent, missed, waiting, cut, withoutRetryAfter] = [0, 0, 0, 0, 0]
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const one = () => {
    const begin = performance.now()
    const id = randomUUID()
    sent += 1
    waiting += 1
    const asked = request(url, {
      method: 'POST',
      agent,
      timeout: ANSWER_MS_MAX,
      headers: { ...headers, 'idempotency-key': id },
    })
    asked.on('response', (response) => {
      const { statusCode = 0 } = response
      response.resume()
      response.on('end', () => {
        waiting -= 1
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
        if (statusCode === 201) paid.push(id)
        const isRefused = statusCode === 429 || statusCode === 503
        if (isRefused && response.headers['retry-after'] === undefined) withoutRetryAfter += 1
        const times = isRefused ? refused : done
        times.push(performance.now() - begin)
      })
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => {
      waiting -= 1
      cut += 1
    })
    asked.end(JSON.stringify({ ...body, external_identifier: id }))
  }
  const begin = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - begin
      const due = (Math.min(elapsedMs, seconds * 1000) / 1000) * perSecond
      // Requests that could not be sent in time are not sent later, which would make another flood.
      for (let missing = due - sent - missed; missing >= 1; missing -= 1) {
        if (waiting < connections) one()
        else missed += 1
      }
      if (elapsedMs < seconds * 1000 || waiting > 0) return
      clearInterval(timer)
      resolve()
    }, TICK_MS)
  })
  agent.destroy()
  return {
    sent,
    missed,
    paid,
    statuses,
    withoutRetryAfter,
    cut,
    latency: latencyOf(done),
    latencyOfRefusals: latencyOf(refused),
  }
}
