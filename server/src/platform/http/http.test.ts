import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '#sandbox/open.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import type { Authenticator } from '../access/auth.ts'
import { browserLimit } from '../access/rate-limit.ts'
import type { SessionReader } from '../access/session-reader.ts'
import { inTransaction } from '../database/db.ts'
import { inFinalTransaction } from '../idempotency/once.ts'
import { createLogger } from '../observability/log.ts'
import { createMetrics } from '../observability/metrics.ts'
import { systemClock } from '../process/clock.ts'
import { errors } from './errors.ts'
import { buildServer } from './http.ts'
import { type Call, operation } from './operation.ts'
import { Strict } from './schemas.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

let listening: Promise<string> | undefined
const listen = () => {
  listening ??= service.app.listen({ host: '127.0.0.1', port: 0 })
  return listening
}
const ACCOUNT = { id: 'shop', display_name: 'Shop' }
const JSON_TYPE = { 'content-type': 'application/json' }
const post = (body: unknown, headers: Record<string, string> = JSON_TYPE) =>
  service.send('POST /merchant-accounts', body, { headers })

describe('a path', () => {
  test.each([
    'GET /nowhere',
    'POST /nowhere',
    'GET /api-key-pairs/',
    'GET /API-key-pairs',
    'GET //api-key-pairs',
    'GET /api-key-pairs/a/b',
  ])('%s is unknown, before the token is checked', async (route) => {
    const response = await service.send(route, undefined, { token: null })

    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({
      type: 'error',
      code: 'not_found',
      status: 404,
      message: 'The resource could not be found',
      details: [
        {
          location: 'path',
          pointer: '',
          type: 'value_error.not_found',
          message: expect.stringMatching(/^there is no such path/),
        },
      ],
    })
  })

  test('that cannot be decoded is a bad request', async () => {
    const response = await service.send('GET /api-key-pairs/%E0%A4%A')

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'error', code: 'bad_request', status: 400 })
    expect(response.headers['x-request-id']).toBeDefined()
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('with an id that is no uuid names the parameter', async () => {
    const response = await service.send('GET /api-key-pairs/42')

    expect(response.json()).toEqual({
      type: 'error',
      code: 'bad_request',
      status: 400,
      message: 'Request failed validation',
      details: [
        {
          location: 'path',
          pointer: '/api_key_pair_id',
          type: 'type_error.uuid',
          message: 'must be a UUID, such as 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        },
      ],
    })
  })

  test.each([
    ['urn:uuid:', 'urn:uuid:01900000-0000-7000-8000-000000000001'],
    ['braces', '%7B01900000-0000-7000-8000-000000000001%7D'],
    ['no hyphens', '01900000000070008000000000000001'],
    ['a space', '01900000-0000-7000-8000-000000000001%20'],
    ['a line end', '01900000-0000-7000-8000-000000000001%0A'],
  ])('with an id that has %s is refused, with and without a token', async (_name, id) => {
    const guarded = await service.send(`GET /buyers/${id}`)
    const open = await service.send(`GET /checkout/sessions/${id}/acquirer`, undefined, { token: null })

    for (const response of [guarded, open]) {
      expect(response.statusCode, response.body).toBe(400)
      expect(response.json().details).toMatchObject([{ location: 'path', type: 'type_error.uuid' }])
    }
  })

  test.each([
    ['GET /gift-cards/balances', 'POST'],
    ['DELETE /gift-cards/balances', 'POST'],
    ['GET /gift-cards/activations', 'POST'],
    ['GET /gift-cards/issuances', 'POST'],
    ['DELETE /buyers/payment-methods', 'GET'],
    ['PUT /buyers/gift-cards', 'GET'],
    ['GET /payment-services/verify', 'POST'],
    ['DELETE /payment-services/verify', 'POST'],
    ['GET /transactions/01900000-0000-7000-8000-000000000001/refunds/all', 'POST'],
    ['GET /gift-cards/balance%73', 'POST'],
  ])('%s has a fixed word instead of an id: 405, allowing %s', async (route, allowed) => {
    const response = await service.send(route, undefined, { token: null })

    expect(response.statusCode, response.body).toBe(405)
    expect(response.json().code).toBe('method_not_allowed')
    expect(response.headers.allow?.split(', ')).toContain(allowed)
  })

  test('with an unknown word is read as an id', async () => {
    const response = await service.send('GET /gift-cards/balance')

    expect(response.json().details).toMatchObject([{ pointer: '/gift_card_id', type: 'type_error.uuid' }])
  })

  test('answers HEAD like GET', async () => {
    // A list that does not change: keys show when they were last used.
    const get = await service.send('GET /roles')
    const head = await service.send('HEAD /roles')

    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})

describe('a body', () => {
  test.each([
    ['malformed', '{"id": "shop", '],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['with __proto__', '{"id":"shop","display_name":"Shop","__proto__":{"isAdmin":true}}'],
    ['with an escaped __proto__', '{"id":"shop","display_name":"Shop","\\u005f_proto__":{"isAdmin":true}}'],
    ['with constructor.prototype', '{"id":"shop","display_name":"Shop","constructor":{"prototype":{}}}'],
  ])('%s is refused as JSON', async (_name, body) => {
    const response = await post(body)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([
      { location: 'body', pointer: '', type: 'value_error.jsondecode' },
    ])
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('sent as %s is refused', async (type) => {
    const response = await post(JSON.stringify(ACCOUNT), { 'content-type': type })

    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('bad_request')
  })

  test('of 2 MB is refused', async () => {
    const response = await post(JSON.stringify({ ...ACCOUNT, display_name: 'x'.repeat(2_000_000) }))

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].message).toBe('the body is larger than 1 MiB')
  })

  describe('that is still being sent', () => {
    const LINE = 'x'.repeat(64 * 1024)
    const CHUNK = `${LINE.length.toString(16)}\r\n${LINE}\r\n`

    test.each([
      ['with its length', [`content-length: ${64 * LINE.length}`], LINE, ''],
      ['in chunks', ['transfer-encoding: chunked'], CHUNK, '0\r\n\r\n'],
    ])('%s is read to its end, and its sender gets the refusal', async (_name, headers, piece, end) => {
      const token = await signToken(service.admin)
      const lines = [...headers, 'content-type: application/json', `authorization: Bearer ${token}`]
      const { answer, sent, error } = await sendSlowly(lines, Array(64).fill(piece), end)

      expect(error).toBeUndefined()
      expect(sent).toBe(64)
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
      expect(answer).toContain('the body is larger than 1 MiB')
      // The connection is as good as before.
      expect(answer).toMatch(/HTTP\/1.1 404 /)
    })

    test('without a token is read to its end, too', async () => {
      const lines = [`content-length: ${64 * LINE.length}`, 'content-type: application/json']
      const { answer, sent } = await sendSlowly(lines, Array(64).fill(LINE), '')

      expect(sent).toBe(64)
      expect(answer).toMatch(/^HTTP\/1.1 401 .*HTTP\/1.1 404 /s)
    })

    test.each([
      ['too large', async () => [`authorization: Bearer ${await signToken(service.admin)}`], 400],
      ['without a token', async () => [], 401],
    ])('and never ends is cut after its refusal: %s', async (_name, headers, status) => {
      const lines = [...(await headers()), 'transfer-encoding: chunked', 'content-type: application/json']
      const { answer, sent } = await sendSlowly(lines, Array(10_000).fill(CHUNK), '')

      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(sent).toBeLessThan(1_000)
    })

    /** Piece by piece, then a second request on the same connection. */
    async function sendSlowly(headers: readonly string[], pieces: readonly string[], end: string) {
      const socket = connect(Number(new URL(await listen()).port), '127.0.0.1')
      const exchange = { answer: '', sent: 0, error: undefined as Error | undefined }
      socket.on('data', (chunk) => {
        exchange.answer += chunk
      })
      socket.on('error', (error) => {
        exchange.error = error
      })
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.write(`POST /merchant-accounts HTTP/1.1\r\nhost: a\r\n${headers.join('\r\n')}\r\n\r\n`)
      for (const piece of pieces) {
        const isGone = await new Promise((resolve) => socket.write(piece, resolve))
        if (isGone) break
        exchange.sent += 1
      }
      socket.write(`${end}GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      await closed
      return exchange
    }
  })

  test('with 240,000 wrong items gets one short answer', async () => {
    const response = await service.send('POST /api-key-pairs', {
      display_name: 'Many',
      role_ids: Array(240_000).fill(0),
    })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ type: 'value_error.list.max_items' }])
  })

  test('with 900 unknown fields names the first hundred, and suggests names for the first ten', async () => {
    const fields = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`display_nam${index}`, 1]))

    const response = await post({ ...ACCOUNT, ...fields })

    expect(response.statusCode).toBe(400)
    const { details } = response.json()
    expect(details).toHaveLength(100)
    expect(
      details.filter(({ message }: { message: string }) => message.includes('did you mean')),
    ).toHaveLength(10)
  })

  test('with 14,000 unknown fields is refused before any of them is looked at', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 14_000 }, (_, index) => [`display_nam${index}`, 1]),
    )

    for (const route of ['POST /merchant-accounts', 'POST /auth/sessions']) {
      const response = await service.send(route, { ...ACCOUNT, ...fields })

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toEqual([
        {
          location: 'body',
          pointer: '',
          type: 'value_error.list.max_items',
          message: 'must not hold an object of more than 1000 fields',
        },
      ])
    }
  })

  test('that cannot be read does not hide an unknown path', async () => {
    const headers = { 'content-type': 'application/json' }

    expect((await service.send('POST /nowhere', '{a', { headers })).statusCode).toBe(404)
    expect((await service.send('POST /health/live', '{a', { headers })).statusCode).toBe(405)
  })

  test.each([
    ['POST', '/transactions/01900000-0000-7000-8000-000000000001/void'],
    ['DELETE', '/buyers/01900000-0000-7000-8000-000000000001'],
    ['POST', '/buyers'],
  ])('nested 20,000 deep is refused by %s %s', async (method, path) => {
    const headers = { ...JSON_TYPE, 'idempotency-key': crypto.randomUUID() }
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`

    const response = await service.send(`${method} ${path}`, deep, { headers })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([
      { location: 'body', pointer: '', message: 'must not be nested deeper than 32 levels' },
    ])
  })

  test('may be nested 32 levels, not 33', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const messageOf = async (levels: number) => (await post(nested(levels))).json().details[0].message

    expect(await messageOf(32)).not.toContain('nested')
    expect(await messageOf(33)).toContain('nested')
  })

  test.each(['{"surprise":true}', '[1]', '"text"', '12', 'false'])(
    '%s is refused where none is taken',
    async (body) => {
      const response = await service.send('DELETE /buyers/01900000-0000-7000-8000-000000000001', body, {
        headers: JSON_TYPE,
      })

      expect(response.statusCode, response.body).toBe(400)
      expect(response.json().details).toMatchObject([
        { location: 'body', pointer: '', type: 'value_error.extra' },
      ])
    },
  )

  test.each(['', '{}', '[]', 'null'])('%j counts as no body', async (body) => {
    const { id } = (await service.send('POST /buyers', {})).json()

    const response = await service.send(`DELETE /buyers/${id}`, body, { headers: JSON_TYPE })

    expect(response.statusCode, response.body).toBe(204)
  })

  test('nested 10,000 deep is refused', async () => {
    const response = await post(`{"id":"shop","display_name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)

    expect(response.statusCode).toBe(400)
  })

  test.each([
    ['a NUL character', 'Sh\\u0000op'],
    ['a lone surrogate', 'Sh\\ud800op'],
  ])('with %s is refused', async (_name, text) => {
    const response = await post(`{"id":"shop","display_name":"${text}"}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([
      { pointer: '/display_name', type: 'value_error.str.regex' },
    ])
  })

  test('with several mistakes names each of them', async () => {
    const response = await post({
      id: 'a b',
      over_capture_amount: '12',
      account_updater_enabled: 1,
      'odd/field~': null,
    })

    expect(
      response
        .json()
        .details.map(({ pointer, type }: { pointer: string; type: string }) => [pointer, type])
        .sort(),
    ).toEqual([
      ['/account_updater_enabled', 'type_error.bool'],
      ['/display_name', 'value_error.missing'],
      ['/id', 'value_error.str.regex'],
      ['/odd~1field~0', 'value_error.extra'],
      ['/over_capture_amount', 'type_error.integer'],
    ])
  })

  test.each([
    [{ over_capture_amount: true }, 'type_error.integer'],
    [{ over_capture_amount: 1.5 }, 'type_error.integer'],
    [{ over_capture_amount: -1 }, 'value_error.number.not_ge'],
    [{ over_capture_amount: 100_000_000 }, 'value_error.number.not_le'],
    [{ display_name: 12 }, 'type_error.string'],
    [{ display_name: '' }, 'value_error.any_str.min_length'],
    [{ display_name: 'x'.repeat(256) }, 'value_error.any_str.max_length'],
    [{ loon_accepted_schemes: 'visa' }, 'type_error.array'],
    [{ loon_accepted_schemes: ['visa', 'visa'] }, 'value_error.duplicate'],
    [{ loon_accepted_schemes: ['vista'] }, 'type_error.enum'],
  ])('with %j is refused as %s, and the value is not repeated', async (change, type) => {
    const response = await post({ ...ACCOUNT, ...change })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'body', type }])
  })

  test('with a number beyond all numbers is refused', async () => {
    const response = await post('{"id":"shop","display_name":"Shop","over_capture_amount":1e400}')

    expect(response.statusCode).toBe(400)
  })

  test('stores nothing when it is refused', async () => {
    expect((await service.send('GET /merchant-accounts/shop')).statusCode).toBe(404)
  })
})

test('a card number in place of a field name is not repeated', async () => {
  const response = await service.send('POST /transactions', {
    amount: 1299,
    currency: 'USD',
    metadata: { '4111111111111111': ['4111111111111111'] },
  })

  expect(response.statusCode).toBe(400)
  expect(response.body).toContain('/metadata/***')
  expect(response.body).not.toContain('4111111111111111')
})

test('a query parameter called __proto__ is unknown, like any other', async () => {
  const response = await service.send('GET /roles?__proto__=5')

  expect(response.statusCode).toBe(400)
})

test('two tokens in one request are refused', async () => {
  const address = await listen()
  const token = await signToken(service.admin)
  const answer = await exchange(
    address,
    `GET /roles HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${`authorization: Bearer ${token}\r\n`.repeat(2)}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1.1 401/)
})

describe('the request id', () => {
  test('is the caller’s own if it is valid', async () => {
    const response = await service.send('GET /roles', undefined, {
      headers: { 'x-request-id': 'order-42:attempt.1' },
    })

    expect(response.headers['x-request-id']).toBe('order-42:attempt.1')
  })

  test.each(['', 'a b', '<script>', 'x'.repeat(129), '4111111111111111'])(
    'is ours when the caller sends %j',
    async (id) => {
      const response = await service.send('GET /roles', undefined, { headers: { 'x-request-id': id } })

      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    },
  )
})

test('a request that is not HTTP gets our own error', async () => {
  const address = await listen()
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
  })

  expect(answer).toMatch(/^HTTP\/1.1 400/)
  expect(answer).toMatch(/\r\nx-request-id: /)
  expect(answer).toMatch(/\r\ncache-control: no-store\r\n/)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ type: 'error', code: 'bad_request' })
})

test('a request with an unknown Expect header is answered', async () => {
  const address = await listen()
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () =>
      socket.write('GET /buyers HTTP/1.1\r\nexpect: a miracle\r\nconnection: close\r\n\r\n'),
    )
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
  })

  expect(answer).toMatch(/^HTTP\/1.1 401/)
})

describe('with its own operation', () => {
  const call = operation({
    id: 'try_something',
    route: 'POST /something',
    tag: 'Test',
    summary: 'Try something',
    scope: 'transactions.write',
    embed: true,
    limit: 'browser',
    concerns: 'merchant-account',
    body: Strict({}),
    responses: { 201: Strict({}) },
    handler: ({ context, once }) => inFinalTransaction(context, once, async () => ({})),
  })
  const failing = (error: unknown) => ({
    ...call,
    id: 'fail',
    route: 'POST /failure' as const,
    handler: async () => {
      throw error
    },
  })

  test('a browser token may call its operations, within the key’s roles', async () => {
    const app = serverWith([call], { isEmbed: true, may: () => false, roleAllows: () => true })
    const restricted = serverWith([call], { isEmbed: true, may: () => false, roleAllows: () => false })

    expect((await send(app)).statusCode).toBe(201)
    expect((await send(restricted)).statusCode).toBe(403)
  })

  test('a browser token gets 50 calls a minute, a server has no limit', async () => {
    const browser = serverWith([call], { isEmbed: true, may: () => false, roleAllows: () => true })
    const server = serverWith([call], { isEmbed: false, may: () => true, roleAllows: () => true })
    const token = crypto.randomUUID()

    const statuses = []
    for (let turn = 0; turn < 51; turn += 1) statuses.push((await send(browser, token)).statusCode)
    const refused = await send(browser, token)

    expect(statuses.filter((status) => status === 201)).toHaveLength(50)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code: 'too_many_requests', status: 429 })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(browser, crypto.randomUUID())).statusCode).toBe(201)
    for (let turn = 0; turn < 55; turn += 1) expect((await send(server, token)).statusCode).toBe(201)
  })

  test('an unexpected error is a 500 that hides its cause', async () => {
    const app = serverWith([failing(new Error('4111111111111111 at /secret/path'))], { may: () => true })

    const response = await send(app, 'x', '/failure')

    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      type: 'error',
      code: 'server_error',
      status: 500,
      message: 'Request could not be processed',
      details: [],
    })
  })

  test('a database that is away is a 503 with Retry-After', async () => {
    const app = serverWith([failing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))], {
      may: () => true,
    })

    const response = await send(app, 'x', '/failure')

    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('1')
  })

  test('begun work continues under its key, and an unanswered question is asked again', async () => {
    const begun: unknown[] = []
    const beginning = {
      ...call,
      handler: async ({ context, once }: Call) => {
        begun.push(once.begun)
        if (!once.begun) await inTransaction(context, (tx) => once.begin(tx, 'payment-1'))
        throw errors.unanswered('gateway_timeout')
      },
    }
    const asking = failing(errors.unanswered('bad_gateway'))
    const broken = { ...failing(new Error('no')), id: 'break', route: 'POST /breakage' as const }
    const app = serverWith([beginning, asking, broken], { may: () => true })
    const key = crypto.randomUUID()

    const statuses = []
    for (const url of ['/something', '/something', '/failure', '/failure', '/breakage', '/breakage']) {
      statuses.push((await send(app, 'x', url, { 'idempotency-key': key })).statusCode)
    }

    expect(statuses).toEqual([504, 504, 502, 502, 500, 500])
    expect(begun).toEqual([null, 'payment-1'])
  })

  test('begun work that failed with an unknown error keeps its key', async () => {
    const beginning = {
      ...call,
      handler: async ({ context, once }: Call) => {
        await inTransaction(context, (tx) => once.begin(tx, 'payment-2'))
        throw new Error('no')
      },
    }
    const app = serverWith([beginning], { may: () => true })
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const first = await send(app, 'x', '/something', headers)
    const again = await send(app, 'x', '/something', headers)

    expect([first.statusCode, again.statusCode]).toEqual([500, 409])
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(30)
  })

  test('finished work keeps its answer, although something failed after it', async () => {
    let count = 0
    const failingLate = {
      ...call,
      handler: async ({ context, once }: Call) => {
        count += 1
        await inFinalTransaction(context, once, async () => ({}))
        throw new Error('no')
      },
    }
    const app = serverWith([failingLate], { may: () => true })
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const statuses = []
    for (let turn = 0; turn < 2; turn += 1)
      statuses.push((await send(app, 'x', '/something', headers)).statusCode)

    expect(statuses).toEqual([500, 201])
    expect(count).toBe(1)
  })

  test('a key whose request is running in this process may be retried in a second', async () => {
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = {
      ...call,
      handler: async ({ context, once }: Call) => {
        started.resolve()
        await gate.promise
        return inFinalTransaction(context, once, async () => ({}))
      },
    }
    const app = serverWith([slow], { may: () => true })
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const first = Promise.resolve(send(app, 'x', '/something', headers))
    await started.promise
    const second = await send(app, 'x', '/something', headers)
    gate.resolve()

    expect([second.statusCode, second.headers['retry-after']]).toEqual([409, '1'])
    expect((await first).statusCode).toBe(201)
  })

  function serverWith(operations: Parameters<typeof buildServer>[1], caller: object) {
    const authenticator = {
      authenticate: async (tokenId: string) => ({
        id: 'k',
        merchantAccountIds: [],
        pinned: {},
        tokenId,
        ...caller,
      }),
    }
    return buildServer(
      {
        db: service.context.db,
        clock: systemClock,
        secrets: service.secrets,
        logger: createLogger('silent'),
        metrics: createMetrics(),
        authenticator: authenticator as unknown as Authenticator,
        sessions: {} as SessionReader,
        cookie: { name: 'session', isSecure: false, origins: [] },
        pins: { read: () => ({}), pageOf: (pinned) => pinned },
        browserLimit: browserLimit(service.context),
        merchantAccountExists: async () => true,
        trustProxy: false,
        isStopping: () => false,
      },
      operations,
    )
  }

  function send(app: ReturnType<typeof buildServer>, token = 'x', url = '/something', headers = {}) {
    const authorization = `Bearer ${token}`
    return app.inject({ method: 'POST', url, payload: {}, headers: { authorization, ...headers } })
  }
})

test('logs a request without its token, query or body', async () => {
  const lines: string[] = []
  const { pino } = await import('pino')
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const { buildApp } = await import('../../app.ts')
  const app = buildApp({
    ...service.database,
    clock: systemClock,
    ...service.engine,
    exchanges: service.engine.exchanges,
    outgoing: service.outgoing,
    reportFiles: service.reportFiles,
    apiLog: service.apiLog,
    environment: 'sandbox',
    sandbox,
    instanceId: 'test',
    logger,
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1:3000',
    role: 'all',
    trustProxy: false,
    metricsToken: null,
    isStopping: () => false,
  })
  const token = await signToken(service.admin)
  const session = crypto.randomUUID()

  await app.inject({
    method: 'POST',
    url: '/merchant-accounts?secret=in-query',
    payload: { loon_secret_key: 'in-body' },
    headers: { authorization: `Bearer ${token}` },
  })
  const buyer = crypto.randomUUID()
  await app.inject({ method: 'GET', url: `/buyers/${buyer.toUpperCase()}` })
  await app.inject({ method: 'PUT', url: '/approve/in-path' })
  await app.inject(`/checkout/sessions/${session}/acquirer`)
  await app.inject('/health/live')
  const { pool } = service.database
  await pool.query(`create function refuse_full() returns trigger language plpgsql as $$
    begin raise exception 'no room for in-body' using errcode = '53100'; end $$`)
  await pool.query('create trigger is_full before insert on merchant_accounts execute function refuse_full()')
  const full = await app.inject({
    method: 'POST',
    url: '/merchant-accounts',
    payload: { id: 'full', display_name: 'Full' },
    headers: { authorization: `Bearer ${token}` },
  })
  await pool.query('drop trigger is_full on merchant_accounts')
  await exchange(
    await app.listen(),
    'PUT http://pay.example/approve/in-path HTTP/1.1\r\nconnection: close\r\n\r\n',
  )
  await app.close()

  const log = lines.join('')
  expect(log).toContain('"operation":"create_merchant_account"')
  expect(log).toContain(`"path":"/buyers/${buyer}"`)
  expect(log).toContain('"path":"/approve/…"')
  expect(log).toContain('"path":"/checkout/sessions/:session_id/acquirer"')
  expect(log).not.toContain('/health/live')
  expect(log).toContain('"status":400')
  expect(log).toContain('"code":"unauthorized","reason":"no token was found')
  // What kept us from answering is told, without the words of the database: they may repeat what was sent.
  expect(full.statusCode).toBe(503)
  const told = lines.map((line) => JSON.parse(line)).find(({ status }) => status === 503)
  expect(told).toMatchObject({ level: 40, trouble: { type: 'DatabaseError', code: '53100' } })
  for (const secret of [token, 'in-query', 'in-body', 'in-path', session]) expect(log).not.toContain(secret)
})

/** Sends bytes over its own connection, and returns the response. */
function exchange(address: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(request))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
  })
}

test('refuses requests while too many wait for the database, and accepts them again afterwards', async () => {
  const { pool } = service.database
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const waiting = Array.from({ length: 200 }, () => pool.query('select 1'))

  const during = await service.send('GET /api-key-pairs')
  for (const connection of held) connection.release()
  await Promise.all(waiting)
  const after = await service.send('GET /api-key-pairs')

  expect([during.statusCode, during.json().code]).toEqual([503, 'service_unavailable'])
  expect(during.headers['retry-after']).toBe('1')
  expect(after.statusCode).toBe(200)
})
