import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SpanSender } from './send-spans.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a collector gets is compared field by field
const received: { headers: any; body: any; url: string | undefined }[] = []
let respond = (response: ServerResponse): void => void response.end('{}')
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  received.push({ url: request.url, headers: request.headers, body })
  respond(response)
})
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A collector that answers may take its time, on a busy machine too. */
function senderTo(address: string, failures: string[] = [], deadlineMs = 60_000): SpanSender {
  return new SpanSender({
    url: address,
    headers: { 'x-tenant': 'shop' },
    serviceName: 'pay',
    share: 1,
    version: '1.2.3',
    instanceId: 'pay-1',
    deadlineMs,
    onFailure: (reason) => failures.push(reason),
  })
}

function record(sender: SpanSender, count: number): void {
  for (let index = 0; index < count; index += 1) sender.tracer.begin(undefined, `GET /${index}`).end()
}

test('sends spans as OTLP, with their parents, times and attributes', async () => {
  const sender = senderTo(`${url}/`)
  const span = sender.tracer.begin('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'GET /roles')
  span.set({ 'http.route': '/roles', 'http.response.status_code': 500 })
  span.fail()
  span.end()

  await sender.stop()

  const [request] = received.splice(0)
  expect(request).toMatchObject({ url: '/v1/traces', headers: { 'x-tenant': 'shop' } })
  const [{ resource, scopeSpans }] = request?.body.resourceSpans ?? []
  expect(resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'pay' } },
    { key: 'service.version', value: { stringValue: '1.2.3' } },
    { key: 'service.instance.id', value: { stringValue: 'pay-1' } },
  ])
  const [sent] = scopeSpans[0].spans
  expect(sent).toEqual({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    parentSpanId: '00f067aa0ba902b7',
    name: 'GET /roles',
    kind: 2,
    startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
    endTimeUnixNano: expect.stringMatching(/^\d{19}$/),
    attributes: [
      { key: 'http.route', value: { stringValue: '/roles' } },
      { key: 'http.response.status_code', value: { intValue: '500' } },
    ],
    status: { code: 2 },
  })
  expect(BigInt(sent.endTimeUnixNano) >= BigInt(sent.startTimeUnixNano)).toBe(true)
  expect(sender.counts).toEqual({ sent: 1, dropped: 0 })
})

test('sends many spans in parts, by itself', async () => {
  const sender = senderTo(url)
  record(sender, 1_000)

  await expect.poll(() => sender.counts, { timeout: 60_000 }).toEqual({ sent: 1_000, dropped: 0 })

  expect(received.splice(0).map(({ body }) => body.resourceSpans[0].scopeSpans[0].spans.length)).toEqual([
    512, 488,
  ])
  await sender.stop()
})

test.each<[string, () => string, RegExp]>([
  ['is away', () => 'http://127.0.0.1:1', /fetch failed|bad port/],
  ['answers 500', () => url, /^it answered 500$/],
  ['does not answer', () => url, /timeout/i],
])('a collector that %s costs spans, and no memory', async (name, address, reason) => {
  respond = (response) => {
    if (name === 'answers 500') response.writeHead(500).end('no')
  }
  const failures: string[] = []
  const sender = senderTo(address(), failures, 300)
  record(sender, 10_000)

  expect(sender.counts).toEqual({ sent: 0, dropped: 10_000 - 4_096 })
  await sender.stop()
  record(sender, 1)

  respond = (response) => void response.end('{}')
  received.length = 0
  expect(failures).toEqual([expect.stringMatching(reason)])
  expect(sender.counts).toEqual({ sent: 0, dropped: 10_001 })
})
