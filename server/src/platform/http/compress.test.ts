import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { OPERATIONS } from '#testing/operations.ts'
import { openTill } from '#testing/till.ts'
import { compressed, holdsSecret } from './compress.ts'

/** Some sixty kilobytes, and always the same. */
const LARGE = 'GET /payment-service-definitions?limit=100'
/** Less than 32 kB. */
const BRIEF = 'GET /payment-service-definitions?limit=4'
/** An account is some hundred bytes. */
const SMALL = 'GET /merchant-accounts'

const lines: string[] = []
let service: TestService
let plain: string
beforeAll(async () => {
  service = await startTestService({ onLog: (line) => lines.push(line) })
  plain = (await service.send(LARGE)).body
})
afterAll(() => service.close())

const ask = (route: string, accepted: string) =>
  service.send(route, undefined, { headers: { 'accept-encoding': accepted } })

test.each([
  ['gzip', 'gzip', gunzipSync],
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['zstd', 'gzip, deflate, br, zstd', zstdDecompressSync],
  ['zstd', '*', zstdDecompressSync],
  ['gzip', 'identity;q=0, gzip;q=0.5', gunzipSync],
  ['br', 'gzip;q=0, zstd;q=0, *;q=0.1', brotliDecompressSync],
  ['gzip', ';;,=,gzip ; q=1,,\t', gunzipSync],
])('a large answer is sent as %s to a client that accepts %j', async (encoding, accepted, open) => {
  const response = await ask(LARGE, accepted)

  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-encoding': encoding,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(response.rawPayload.length),
    vary: 'accept-encoding',
  })
  expect(open(response.rawPayload).toString()).toBe(plain)
  expect(response.rawPayload.length).toBeLessThan(plain.length / 4)
})

test.each([
  '',
  'identity',
  'identity;q=0',
  '*;q=0',
  'gzip;q=0, br;q=0.000',
  'gzip;q=much',
  'gzip;q=-1',
  'deflate, compress',
  'gzipped',
  '\u00ff',
])('a large answer is sent as it is to a client that accepts %j', async (accepted) => {
  const response = await ask(LARGE, accepted)

  expect(response.statusCode).toBe(200)
  expect(response.headers['content-encoding']).toBeUndefined()
  // A cache must not give this answer to a client that would accept less of it.
  expect(response.headers['vary']).toBe('accept-encoding')
  expect(response.body).toBe(plain)
})

test('HEAD has the headers of GET', async () => {
  const get = await ask(LARGE, 'gzip')
  const head = await ask(LARGE.replace('GET', 'HEAD'), 'gzip')

  const own = { date: undefined, 'x-request-id': undefined }
  expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own })
  expect(head.body).toBe('')
})

test.each([
  ['a small answer', SMALL, 200],
  ['an error', 'GET /transactions?limit=0', 400],
  ['an unknown path', `GET /nowhere/${'a'.repeat(5_000)}`, 404],
])('%s is sent as it is', async (_name, route, status) => {
  const response = await ask(route, 'gzip, br, zstd')

  expect(response.statusCode).toBe(status)
  expect(response.headers['content-encoding']).toBeUndefined()
  expect(response.json()).toBeTypeOf('object')
})

test('an answer is compressed here or, if it takes long, in another thread', async () => {
  const brief = (await service.send(BRIEF)).body
  const response = await ask(BRIEF, 'zstd')

  expect([brief.length > 4_096, brief.length < 32_768, plain.length > 32_768]).toEqual([true, true, true])
  expect(zstdDecompressSync(response.rawPayload).toString()).toBe(brief)
})

test('the encoding is named once there are compressed bytes, so that an error is sent as it is', async () => {
  const headers: Record<string, string> = {}
  const reply = { header: (name: string, value: string) => Object.assign(headers, { [name]: value }) }
  const request = { headers: { 'accept-encoding': 'gzip' } }

  const bytes = compressed(request as never, reply as never, 'x'.repeat(40_000))
  expect(headers).toEqual({ vary: 'accept-encoding' })
  await bytes
  expect(headers).toEqual({ vary: 'accept-encoding', 'content-encoding': 'gzip' })
})

test('metrics are compressed for the program that collects them', async () => {
  const response = await ask('GET /metrics', 'gzip')

  expect(response.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(response.rawPayload).toString()).toContain('\n# TYPE ')
})

test('a client that goes away in the middle harms nothing', async () => {
  const { port } = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }))
  const token = await signToken(service.admin)
  const lost = Array.from({ length: 20 }, async () => {
    const socket = connect(Number(port), '127.0.0.1')
    const headers = `authorization: Bearer ${token}\r\naccept-encoding: gzip\r\n`
    socket.write(`GET ${LARGE.slice(4)} HTTP/1.1\r\nhost: service\r\n${headers}\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
  })
  await Promise.all(lost)

  const response = await ask(LARGE, 'gzip')
  expect(gunzipSync(response.rawPayload).toString()).toBe(plain)
  expect(lines.filter((line) => line.includes('unexpected error'))).toEqual([])
})

describe('a secret', () => {
  test('is never in a compressed answer', async () => {
    const notes = Array.from({ length: 10 }, (_, index) => [`note-${index}`, 'ribbon '.repeat(60)])
    const { id } = await openTill(service).pay({
      payment_method: { ...CHALLENGED, redirect_url: 'https://shop.example.com/back' },
      metadata: Object.fromEntries(notes),
    })
    const answer = await ask(`GET /transactions/${id}`, 'gzip, br, zstd')

    expect(answer.json().payment_method.approval_url).toMatch(/^http/)
    expect(answer.rawPayload.length).toBeGreaterThan(5_000)
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  test('is recognised by the name of its field, in every answer that could be compressed', () => {
    const answers = OPERATIONS.filter(({ route, scope }) => route.startsWith('GET') && scope !== null)
    const names = new Set(answers.flatMap(({ responses }) => fieldsIn(Object.values(responses))))
    const secrets = [...names].filter((name) => SECRET_NAME.test(name) && name !== HARMLESS)

    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter((name) => !holdsSecret(JSON.stringify({ [name]: 'x' })))).toEqual([])
    expect(secrets.filter((name) => holdsSecret(JSON.stringify({ [name]: null })))).toEqual([])
  })
})

const CHALLENGED = {
  method: 'card',
  number: '4111111111102011',
  expiration_date: '12/40',
  security_code: '123',
}
const SECRET_NAME =
  /(token|secret|password|key|cryptogram|credentials?|signature|^url|(approval|webhook|invitation)_url)$/
/** Of a field that a definition lists, not its value. */
const HARMLESS = 'key'

/** The names of all texts in a schema. */
function fieldsIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { properties = {} } = schema as { properties?: Record<string, object> }
  const own = Object.entries(properties).flatMap(([name, field]) =>
    /"string"/.test(JSON.stringify(field)) ? [name] : [],
  )
  return [...own, ...Object.values(schema).flatMap(fieldsIn)]
}
