import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { deliverDue } from '#resources/webhook-subscriptions/deliver.ts'
import type { TestService } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an event carries is checked field by field
type Json = any

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: Json
  readonly at: number
}

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** Sets how it answers from now on. */
  readonly answer: (how: (response: ServerResponse, received: Received) => void) => void
  readonly waitFor: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** A merchant's server that receives webhooks. At first it accepts everything. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let respond = (response: ServerResponse, _received: Received): void => void response.end('ok')
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const isJson = request.headers['content-type'] === 'application/json'
    const { url: path = '', headers } = request
    const one = { path, headers, body, event: isJson ? JSON.parse(body) : undefined, at: performance.now() }
    received.push(one)
    respond(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    answer: (how) => {
      respond = how
    },
    waitFor: (count) => until(() => received.length >= count),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Runs the worker until it is stopped. */
export function startDelivering(service: TestService) {
  const stopping = new AbortController()
  const metrics = createMetrics()
  const running = deliverDue(
    {
      ...service,
      ...service.engine,
      metrics,
      logger: createLogger('silent'),
      environment: 'sandbox',
      instanceId: 'test',
    },
    stopping.signal,
  )
  return {
    metrics,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

const PATIENCE_MS = 60_000

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > PATIENCE_MS) throw new Error('the condition did not become true in time')
    await sleep(10)
  }
}
