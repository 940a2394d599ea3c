import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '#platform/observability/metrics.ts'
import {
  type SendOptions,
  signToken,
  startTestService,
  type TestKey,
  type TestService,
} from '#testing/harness.ts'
import { CARD, openTill } from '#testing/till.ts'
import { purgeApiLogs } from './routes.ts'
import type { ApiLog } from './schemas.ts'

let service: TestService
let confined: TestKey
beforeAll(async () => {
  service = await startTestService()
  for (const id of ['shop', 'other']) await service.send('POST /merchant-accounts', { id, display_name: id })
  confined = await service.addKey({ name: 'Shop key', merchantAccountIds: ['shop'] })
})
afterAll(() => service.close())

let sent = 0

/** Sends a request with an id of its own, and gives its entry as soon as it is there. */
async function logged(route: string, body?: unknown, options: SendOptions = {}): Promise<ApiLog | undefined> {
  sent += 1
  const requestId = `logged-${sent}`
  const headers = { ...options.headers, 'x-request-id': requestId }
  await service.send(route, body, { ...options, headers })
  await expect.poll(() => list(`request_id=${requestId}`)).toHaveLength(1)
  return (await list(`request_id=${requestId}`))[0]
}

async function list(query: string, options: SendOptions = { account: '*' }): Promise<ApiLog[]> {
  const response = await service.send(`GET /api-logs?${query}`, undefined, options)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

test('a payment is logged with its caller and account, and without anything of its body', async () => {
  const entry = await logged(
    'POST /transactions',
    { amount: 1299, currency: 'USD', payment_method: CARD, external_identifier: 'order-secret-7' },
    { account: 'default', headers: { 'idempotency-key': 'key-of-the-log' } },
  )

  expect(entry).toEqual({
    type: 'api-log',
    id: expect.any(String),
    merchant_account_id: 'default',
    request_id: entry?.request_id,
    method: 'POST',
    path: '/transactions',
    operation_id: 'create_transaction',
    status: 201,
    duration_ms: expect.any(Number),
    caller: { type: 'api-key-pair', id: service.admin.id, name: 'Test key' },
    has_idempotency_key: true,
    error: null,
    created_at: expect.any(String),
  })
  const rows = await sql<{ row: string }>`select api_logs::text as row from api_logs`.execute(
    service.context.db,
  )
  const text = rows.rows.map(({ row }) => row).join('\n')
  expect(text).toContain('/transactions')
  expect(text).not.toMatch(/order-secret-7|411111|key-of-the-log/)
})

test('one entry can be read by its id', async () => {
  const entry = await logged('GET /buyers')

  const response = await service.send(`GET /api-logs/${entry?.id}`)

  expect(response.json()).toEqual(entry)
})

test('a refusal is logged with its code and the fields that it names, not with their values', async () => {
  const entry = await logged('POST /buyers', { display_name: 77_001, external_identifer: 'hidden-value' })

  expect(entry).toMatchObject({
    status: 400,
    has_idempotency_key: false,
    error: {
      code: 'bad_request',
      message: 'Request failed validation',
      details: [
        { location: 'body', pointer: '/display_name', type: 'type_error.string' },
        { location: 'body', pointer: '/external_identifer', type: 'value_error.extra' },
      ],
    },
  })
  expect(JSON.stringify(entry)).not.toMatch(/77_?001|hidden-value/)
})

test('a body with very many mistakes is logged with the first twenty', async () => {
  const names = Array.from({ length: 60 }, (_none, at) => [`unknown_${at}`, true])

  const entry = await logged('POST /buyers', Object.fromEntries(names))

  expect(entry?.error?.details).toHaveLength(20)
})

test('an idempotency key that was used for another request is logged, without a code', async () => {
  const headers = { 'idempotency-key': 'used-twice' }
  await service.send('POST /buyers', { display_name: 'One' }, { headers })

  const entry = await logged('POST /buyers', { display_name: 'Two' }, { headers })

  expect(entry).toMatchObject({
    status: 422,
    error: { code: null, details: [{ location: 'header', pointer: '/idempotency-key' }] },
  })
})

test('a request without a valid token is logged without a caller, for those who see all accounts', async () => {
  const entry = await logged('GET /buyers', undefined, { token: null, account: 'shop' })
  const token = await signToken(confined)

  expect(entry).toMatchObject({ status: 401, caller: null, merchant_account_id: null })
  expect(await list(`request_id=${entry?.request_id}`, { token })).toEqual([])
  expect((await service.send(`GET /api-logs/${entry?.id}`, undefined, { token })).statusCode).toBe(404)
})

test('a caller who lacks the scope is named, and sees the entry in its own account', async () => {
  const token = await signToken(confined, { scopes: ['buyers.read', 'api-logs.read'] })

  const entry = await logged('GET /transactions', undefined, { token })

  expect(entry).toMatchObject({ status: 403, caller: { name: 'Shop key' }, merchant_account_id: 'shop' })
  expect(await list(`request_id=${entry?.request_id}`, { token })).toEqual([entry])
})

test('a path that is secret is logged as its pattern', async () => {
  const session = (await service.send('POST /checkout/sessions')).json().id

  const entry = await logged(
    `PUT /checkout/sessions/${session}/fields`,
    { payment_method: CARD },
    { token: null },
  )

  expect(entry).toMatchObject({ status: 204, path: '/checkout/sessions/:session_id/fields', caller: null })
})

test.each<[string, string, SendOptions]>([
  ['a zero byte in its path', 'GET /transactions/%00', { token: null }],
  ['a zero byte in the name of a parameter', 'GET /buyers?%00=1', {}],
])('a request with %s is logged, and so are those beside it', async (name, route, options) => {
  const requestId = `beside-${name.length}`
  const headers = { 'x-request-id': requestId }

  await service.send('GET /buyers', undefined, { headers })
  await service.send(route, undefined, { ...options, headers })
  await service.apiLog.flush()

  const entries = await list(`request_id=${requestId}`)
  expect(entries.map(({ status }) => status)).toEqual([expect.any(Number), 200])
  expect(JSON.stringify(entries)).not.toContain('\\u0000')
})

test('health, pages, unknown paths and the log itself are not logged', async () => {
  for (const url of ['/health', '/docs', '/openapi.json', '/nowhere', '/api-logs']) {
    await service.app.inject({ url, headers: { 'x-request-id': 'not-for-the-log' } })
  }
  const last = await logged('GET /buyers')

  expect(last?.status).toBe(200)
  expect(await list('request_id=not-for-the-log')).toEqual([])
})

test.each([
  ['status_class=4xx', ({ status }: ApiLog) => status >= 400 && status < 500],
  ['status_class=2xx', ({ status }: ApiLog) => status < 300],
  ['status_class=2xx&status_class=4xx', () => true],
  ['method=POST', ({ method }: ApiLog) => method === 'POST'],
  ['path_prefix=/buy', ({ path }: ApiLog) => path.startsWith('/buy')],
  [
    'path_prefix=/buy&status_class=4xx&method=POST',
    (log: ApiLog) => log.path === '/buyers' && log.status >= 400 && log.method === 'POST',
  ],
])('finds exactly the entries of %s, on pages of three', async (filter, fits) => {
  await logged('GET /buyers')
  await logged('POST /buyers', { display_name: 7 })
  const whole = await list('limit=100')
  const until = `created_at_lte=${whole[0]?.created_at}`

  const found: ApiLog[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await service.send(
      `GET /api-logs?limit=3&${until}&${filter}${cursor && `&cursor=${cursor}`}`,
      undefined,
      { account: '*' },
    )
    found.push(...page.json().items)
    cursor = page.json().next_cursor
  }

  const ids = found.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(whole.filter(fits).map(({ id }) => id)))
  expect(found.every(fits)).toBe(true)
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => (one < other ? 1 : -1)))
})

test('finds the requests of a caller and of a time', async () => {
  const key = await service.addKey({ name: 'Rare key' })
  const entry = await logged('GET /buyers', undefined, { token: await signToken(key) })

  expect(await list(`caller_id=${key.id}`)).toEqual([entry])
  expect(await list(`caller_id=${key.id}&created_at_gte=${entry?.created_at}`)).toEqual([entry])
  expect(await list(`caller_id=${key.id}&created_at_lte=2020-01-01T00:00:00Z`)).toEqual([])
})

test('a key of one account sees its own entries alone', async () => {
  const own = await logged('GET /buyers', undefined, { account: 'shop' })
  const foreign = await logged('GET /buyers', undefined, { account: 'other' })
  const token = await signToken(confined)

  const seen = await list('limit=100', { token, account: '*' })

  expect(seen).toContainEqual(own)
  expect(new Set(seen.map(({ merchant_account_id }) => merchant_account_id))).toEqual(new Set(['shop']))
  expect((await service.send(`GET /api-logs/${foreign?.id}`, undefined, { token })).statusCode).toBe(404)
})

test.each([
  ['status_class=200', '/status_class/0'],
  ['method=PATCH', '/method'],
  ['caller_id=me', '/caller_id'],
  ['created_at_gte=yesterday', '/created_at_gte'],
  ['path_prefix=', '/path_prefix'],
])('refuses %s, and names the field', async (query, pointer) => {
  const response = await service.send(`GET /api-logs?${query}`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details[0]).toMatchObject({ location: 'query', pointer })
})

test('old entries are removed after seven days, and the job knows when', async () => {
  const own = await startTestService()
  try {
    await own.send('GET /buyers')
    await own.send('GET /roles')
    await expect.poll(() => countOf(own)).toBe(2)
    const due = await purgeApiLogs.nextDueAt?.(own)

    own.moveClock(7 * 86_400_000 - 60_000)
    await purgeApiLogs.run(own, new AbortController().signal)
    const before = await countOf(own)
    own.moveClock(120_000)
    await purgeApiLogs.run(own, new AbortController().signal)

    expect(before).toBe(2)
    expect(await countOf(own)).toBe(0)
    expect(Math.abs((due?.getTime() ?? 0) - Date.now() - 7 * 86_400_000)).toBeLessThan(600_000)
    expect(await purgeApiLogs.nextDueAt?.(own)).toBeNull()
  } finally {
    await own.close()
  }
})

test('a payment goes on if its request cannot be logged, and the loss is counted', async () => {
  const own = await startTestService()
  try {
    await sql`alter table api_logs rename to api_logs_that_are_away`.execute(own.database.db)
    const metrics = createMetrics()
    metrics.watchApiLogs(() => own.apiLog.counts)

    const payment = await openTill(own).pay()
    await expect
      .poll(async () => {
        await own.apiLog.flush()
        return metrics.render()
      })
      .toMatch(/switchyard_api_logs_total{result="lost"} [1-9]/)

    expect(payment.status).toBe('authorization_succeeded')
    expect(own.troubles[0]).toContain('a request was not logged')
  } finally {
    await own.close()
  }
})

async function countOf(own: TestService): Promise<number> {
  await own.apiLog.flush()
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from api_logs`.execute(
    own.context.db,
  )
  return rows[0]?.count ?? 0
}
