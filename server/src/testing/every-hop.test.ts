import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTracer, type EndedSpan } from '#platform/observability/trace.ts'
import { urlOf } from './database-url.ts'
import { guardedFolder } from './guard.ts'
import { cloneDatabase, startTestService, type TestService } from './harness.ts'
import { type Receiver, startDelivering, startReceiver } from './receiver.ts'
import { removeFolder, startHere, tokenOf } from './service-process.ts'
import { CARD, openTill, order } from './till.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const HEADERS = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'order-1' }
const BUYER = { billing_details: { email_address: 'traced@example.com', last_name: 'Personal' } }

describe('the trace of a payment', () => {
  const spans: EndedSpan[] = []
  let service: TestService
  let receiver: Receiver
  const lines: object[] = []
  beforeAll(async () => {
    service = await startTestService({
      tracer: createTracer((span) => spans.push(span)),
      onLog: (line) => void lines.push(JSON.parse(line)),
    })
    receiver = await startReceiver()
    const url = `${receiver.url}/secret-path`
    await service.send('POST /webhook-subscriptions', { url, events: ['transaction.*'] })
  })
  afterAll(async () => {
    await receiver.close()
    await service.close()
  })
  beforeEach(() => {
    spans.length = 0
    receiver.received.length = 0
  })

  const named = (name: string) => spans.filter((span) => span.name === name)
  const deliver = async (count: number) => {
    const delivering = startDelivering(service)
    await receiver.waitFor(count)
    await delivering.stop()
  }

  test('has every hop: the API, the database, the provider and the webhook', async () => {
    const response = await order(service, { buyer: BUYER }, { headers: HEADERS })
    expect(response.statusCode, response.body).toBe(201)
    await deliver(1)

    const [request] = named('POST /transactions')
    const [asked] = named('mock-card authorize')
    const [sent] = named('send a webhook')
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(request).toMatchObject({ traceId: TRACE, parentId: PARENT, kind: 'server' })
    expect(request?.attributes).toMatchObject({
      'switchyard.request_id': 'order-1',
      'switchyard.operation': 'create_transaction',
      'http.response.status_code': 201,
    })
    expect(asked).toMatchObject({ parentId: request?.id, kind: 'client' })
    expect(sent).toMatchObject({ parentId: request?.id, kind: 'client' })
    // The two commits, before and after the provider was asked.
    expect(statements.length).toBeGreaterThan(2)
    const ofRequest = statements.filter(({ parentId }) => parentId === request?.id)
    expect(ofRequest.some(({ endMs }) => endMs <= (asked?.startMs ?? 0))).toBe(true)
    expect(ofRequest.some(({ startMs }) => startMs >= (asked?.endMs ?? 0))).toBe(true)
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    expect(receiver.received[0]?.headers['traceparent']).toBe(`00-${TRACE}-${sent?.id}-01`)
  })

  test('goes on in the job, if the answer was lost', async () => {
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const body = { connection_options: { 'mock-card': { fault } } }
    const lost = await order(service, body, { headers: HEADERS })
    service.moveClock(120_000)
    await service.resolveDue()
    await deliver(1)

    const [request] = named('POST /transactions')
    const [resolved] = named('resolve authorize')
    const [inquired] = named('mock-card sync')
    const [sent] = named('send a webhook')
    expect(await openTill(service).get(lost.json().id)).toMatchObject({ status: 'authorization_succeeded' })
    expect(resolved).toMatchObject({ traceId: TRACE, parentId: request?.id })
    expect(inquired).toMatchObject({ traceId: TRACE, parentId: resolved?.id })
    expect(sent).toMatchObject({ traceId: TRACE, parentId: resolved?.id })
    expect(spans.some(({ name, parentId }) => name === 'update attempts' && parentId === resolved?.id)).toBe(
      true,
    )
  })

  test('tells nothing secret or personal', async () => {
    const { statusCode } = await order(service, { buyer: BUYER }, { headers: HEADERS })
    expect(statusCode).toBe(201)
    await service.send(`GET /no/such/${CARD.number}?number=${CARD.number}`, undefined, { headers: HEADERS })
    await deliver(1)

    const told = spans.map(({ name, attributes }) => ({ name, attributes }))
    expect(told.length).toBeGreaterThan(5)
    const text = JSON.stringify(told)
    expect(text).not.toMatch(/traced@example|Personal|secret-path|Bearer|select \*/)
    expect(text).not.toContain(CARD.number)
    const values = told.flatMap(({ attributes }) => Object.values(attributes).map(String))
    expect(values).not.toContain(CARD.security_code)
  })

  test('begins with us if the caller sends a traceparent that is none', async () => {
    await order(service, {}, { headers: { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` } })

    expect(named('POST /transactions')).toMatchObject([{ parentId: null }])
    expect(named('POST /transactions')[0]?.traceId).not.toBe(TRACE)
  })

  test('has the id of the payment in its spans and log lines', async () => {
    const { id } = (await order(service, { buyer: BUYER }, { headers: HEADERS })).json()
    await service.send(`POST /transactions/${id}/void`, undefined, { headers: HEADERS })

    expect(named('POST /transactions')[0]?.attributes).toMatchObject({ 'switchyard.made_id': id })
    expect(named('POST /transactions/:transaction_id/void')[0]?.attributes).toMatchObject({
      'switchyard.transaction_id': id,
    })
    expect(lines).toContainEqual(
      expect.objectContaining({ operation: 'create_transaction', madeId: id, traceId: TRACE }),
    )
  })
})

test('a service sends its spans to the collector, and pays as usual if that does not answer', async () => {
  const bodies: string[] = []
  let isAnswering = true
  const collector = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    if (isAnswering) response.end('{}')
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as { port: number }
  const dataDir = guardedFolder()
  const service = await startHere(dataDir, {
    DATABASE_URL: urlOf(await cloneDatabase()),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  })
  const token = await tokenOf(dataDir)
  const pay = () =>
    fetch(`${service.url}/transactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...HEADERS },
      body: JSON.stringify({ amount: 1299, currency: 'USD', country: 'US', payment_method: CARD }),
    })

  expect((await pay()).status).toBe(201)
  await expect.poll(() => bodies.join(), { timeout: 60_000 }).toContain('POST /transactions')
  isAnswering = false
  bodies.length = 0
  expect((await pay()).status).toBe(201)
  await expect.poll(() => bodies.length, { timeout: 60_000 }).toBeGreaterThan(0)
  expect((await pay()).status).toBe(201)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  collector.closeAllConnections()
  collector.close()
  await service.end('SIGTERM')
  removeFolder(dataDir)

  expect(metrics).toMatch(/^switchyard_trace_spans_total\{result="sent"\} [1-9]/m)
  expect(metrics).toMatch(
    /^switchyard_attempts_total\{act="authorize",service_id="\S{36}",outcome="approved",code=""\} 3$/m,
  )
  expect(metrics).toMatch(
    /^switchyard_provider_duration_seconds_count\{connector="mock-card",act="authorize",result="answered"\} 3$/m,
  )
  expect(metrics).toMatch(/^switchyard_database_connections_max\{pool="payments"\} 20$/m)
  expect(bodies.join()).not.toContain(CARD.number)
})
