import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { sandbox } from '#sandbox/open.ts'
import {
  ADMINISTRATOR,
  PROCESSING,
  signToken,
  startTestService,
  type TestKey,
  type TestService,
} from '#testing/harness.ts'
import { buildApp } from '../../app.ts'
import { createLogger } from '../observability/log.ts'
import { createMetrics } from '../observability/metrics.ts'
import { systemClock } from '../process/clock.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const seconds = () => Math.floor(Date.now() / 1000)
let addresses = 0
const list = (token: string | null, headers: Record<string, string> = {}) => {
  addresses += 1
  return service.send('GET /api-key-pairs', undefined, {
    token,
    headers,
    address: `10.1.${addresses >> 8}.${addresses & 255}`,
  })
}

describe('a bad token', () => {
  test.each([
    ['nothing', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['an empty token', 'Bearer '],
    ['a word', 'Bearer nonsense'],
    ['two dots and nothing', 'Bearer ..'],
    ['a header that is no JSON', 'Bearer YWJj.YWJj.YWJj'],
    ['a token with a space', 'Bearer abc def'],
    ['a token of 9 kB', `Bearer ${'a'.repeat(9000)}`],
  ])('%s is refused', async (_name, authorization) => {
    const response = await list(null, authorization === undefined ? {} : { authorization })

    expect(response.statusCode).toBe(401)
    expect(response.json().message).toBe('No valid API authentication found')
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/)
  })

  test('of 20 kB is refused with the same answer, over a real connection', async () => {
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 })

    const response = await fetch(`${address}/api-key-pairs`, {
      headers: { authorization: `Bearer ${'a'.repeat(20_000)}` },
    })

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'unauthorized' })
  })

  test.each([
    ['expired', () => ({ exp: seconds() - 31 }), /expired/],
    ['without an expiry', () => ({ exp: undefined }), /exp/],
    ['with an expiry that is text', () => ({ exp: 'tomorrow' }), /exp/],
    ['with an expiry that never comes', () => ({ exp: 1e308 }), /beyond the year 9999/],
    ['with an expiry in milliseconds', () => ({ exp: Date.now() + 3_600_000 }), /in seconds/],
    ['not valid yet', () => ({ nbf: seconds() + 90 }), /nbf/],
    ['issued in the future', () => ({ iat: seconds() + 90 }), /iat/],
    ['without scopes', () => ({ scopes: undefined }), /scopes/],
    ['with scopes as text', () => ({ scopes: '*.read' }), /scopes/],
    ['with scopes that are numbers', () => ({ scopes: [1] }), /scopes/],
    ['with an issuer that is no text', () => ({ iss: 7 }), /iss/],
    ['with an id that is no text', () => ({ jti: {} }), /jti/],
  ])('%s is refused, and the header says why', async (_name, claimed, reason) => {
    const response = await list(await rawToken(service.admin, claimed()))

    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toMatch(reason)
  })

  test.each([
    ['half a minute late', () => ({ exp: seconds() - 20 })],
    ['half a minute early', () => ({ nbf: seconds() + 20 })],
    ['until the end of 9999', () => ({ exp: 253_402_300_799 })],
    ['with a fraction of a second', () => ({ exp: seconds() + 60.5 })],
  ])('%s still passes', async (_name, claimed) => {
    const response = await list(await signToken(service.admin, claimed()))

    expect(response.statusCode).toBe(200)
  })
})

describe('the algorithm', () => {
  test('none is refused', async () => {
    const token = `${encode({ alg: 'none', kid: service.admin.publicKey.thumbprint })}.${encode(claims())}.`

    expect((await list(token)).statusCode).toBe(401)
  })

  test('HS256 with the public key as its secret is refused', async () => {
    const head = `${encode({ alg: 'HS256', kid: service.admin.publicKey.thumbprint })}.${encode(claims())}`
    const mac = createHmac('sha256', service.admin.publicKey.pem).update(head).digest('base64url')

    expect((await list(`${head}.${mac}`)).statusCode).toBe(401)
  })

  test('of another curve is refused even with a valid signature', async () => {
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const key = await uploaded(generateKeyPairSync('ec', { namedCurve: 'P-521' }))
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'ES256', kid: key.thumbprint })
      .sign(p256)

    expect((await list(token)).statusCode).toBe(401)
  })

  test('a key inside the token is ignored', async () => {
    const own = generateKeyPairSync('ed25519')
    const jwk = own.publicKey.export({ format: 'jwk' })
    const token = await new SignJWT(claims())
      .setProtectedHeader({
        alg: 'EdDSA',
        kid: service.admin.publicKey.thumbprint,
        jwk,
        jku: 'http://127.0.0.1:1/',
      } as never)
      .sign(own.privateKey)

    expect((await list(token)).statusCode).toBe(401)
  })

  test.each([
    ['ES512', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS512', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['EdDSA', () => generateKeyPairSync('ed25519')],
  ])('%s is accepted for a key of its kind', async (alg, make) => {
    const pair = make()
    const { thumbprint } = await uploaded(pair)
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg, kid: thumbprint })
      .sign(pair.privateKey)

    const response = await list(token)

    expect(response.statusCode, response.body).toBe(200)
  })

  test('a generated pair signs ES512, also if a coordinate begins with zeros', async () => {
    let padded = 0
    for (let attempt = 0; attempt < 40 && padded < 3; attempt += 1) {
      const made = await service.send('POST /api-key-pairs', {
        display_name: 'Padded',
        role_ids: [ADMINISTRATOR],
      })
      const key = createPrivateKey(made.json().private_key)
      if (Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url')[0] !== 0) continue
      padded += 1
      const token = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'ES512', kid: made.json().thumbprint })
        .sign(key)
      expect((await list(token)).statusCode).toBe(200)
    }
    expect(padded).toBe(3)
  })
})

describe('a key that may no longer be used', () => {
  let second: Awaited<ReturnType<typeof startSecondProcess>> | undefined
  afterEach(async () => {
    vi.restoreAllMocks()
    await second?.close()
    second = undefined
  })

  test.each([
    ['disabled', (id: string) => service.send(`PUT /api-key-pairs/${id}`, { active: false })],
    ['deleted', (id: string) => service.send(`DELETE /api-key-pairs/${id}`)],
  ])('%s: refuses cached and new tokens at once here, and within 5 s elsewhere', async (_name, stop) => {
    second = await startSecondProcess()
    const key = await service.addKey()
    const cached = await signToken(key)
    expect((await list(cached)).statusCode).toBe(200)
    expect((await second.list(cached)).statusCode).toBe(200)

    expect((await stop(key.id)).statusCode).toBeLessThan(300)

    expect((await list(cached)).statusCode).toBe(401)
    expect((await list(await signToken(key))).statusCode).toBe(401)
    const { now } = performance
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 5_000)
    expect((await second.list(cached)).statusCode).toBe(401)
  })

  test('works again when it is made active again', async () => {
    const key = await service.addKey()
    const token = await signToken(key)
    await service.send(`PUT /api-key-pairs/${key.id}`, { active: false })
    expect((await list(token)).statusCode).toBe(401)

    await service.send(`PUT /api-key-pairs/${key.id}`, { active: true })

    expect((await list(token)).statusCode).toBe(200)
  })

  test('loses permissions of its roles at once', async () => {
    const key = await service.addKey()
    const token = await signToken(key)
    expect((await list(token)).statusCode).toBe(200)

    await service.send(`PUT /api-key-pairs/${key.id}`, { role_ids: [PROCESSING] })

    expect((await list(token)).statusCode).toBe(403)
  })
})

test('a cached token stops when it expires', async () => {
  const token = await signToken(service.admin, { exp: seconds() + 600 })
  expect((await list(token)).statusCode).toBe(200)

  service.moveClock(631_000)
  const response = await list(token)
  service.moveClock(-631_000)

  expect(response.statusCode).toBe(401)
})

test('write does not imply read, and the wildcard covers one of the two', async () => {
  const post = (token: string) => service.send('POST /api-key-pairs', {}, { token })
  const writer = await signToken(service.admin, { scopes: ['*.write'] })
  const reader = await signToken(service.admin, { scopes: ['*.read'] })

  expect((await list(writer)).statusCode).toBe(403)
  expect((await list(reader)).statusCode).toBe(200)
  expect((await post(reader)).statusCode).toBe(403)
  expect((await post(writer)).statusCode).toBe(400)
})

test.each(['bearer', 'BEARER', 'Bearer  '])('the scheme may be written %s', async (scheme) => {
  const token = await signToken(service.admin)

  expect((await list(null, { authorization: `${scheme} ${token}` })).statusCode).toBe(200)
})

test('remembers when a key was last used', async () => {
  const key = await service.addKey()
  expect(await lastUsed(key)).toBeNull()

  await list(await signToken(key))

  await expect.poll(() => lastUsed(key)).toMatch(/^\d{4}-/)
})

test('failed checks from one address are limited, and do not hurt tokens that were verified', async () => {
  const good = await signToken(service.admin)
  const address = '10.9.9.9'
  const from = (token: string) => service.send('GET /api-key-pairs', undefined, { token, address })
  expect((await from(good)).statusCode).toBe(200)

  const statuses: number[] = []
  for (let attempt = 0; attempt < 105; attempt += 1)
    statuses.push((await from(`bad.${attempt}.token`)).statusCode)
  const limited = await from('bad.again.token')

  expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true)
  expect(limited.statusCode).toBe(429)
  expect(limited.json().code).toBe('too_many_requests')
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expect((await from(good)).statusCode).toBe(200)
  expect((await list('bad.elsewhere.token')).statusCode).toBe(401)
})

test('a flood of bad tokens at once is limited too', async () => {
  const address = '10.8.8.8'
  const tokens = await Promise.all(
    Array.from(
      { length: 400 },
      async (_, index) => `${(await signToken(service.admin, { jti: String(index) })).slice(0, -6)}AAAAAA`,
    ),
  )

  const answers = await Promise.all(
    tokens.map((token) => service.send('GET /roles', undefined, { token, address })),
  )

  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(250)
  expect(answers.every(({ statusCode }) => statusCode === 401 || statusCode === 429)).toBe(true)
})

test('addresses of one IPv6 network share a limit', async () => {
  const from = (host: string) =>
    service.send('GET /roles', undefined, { token: 'bad.token.x', address: `2001:db8:1:2${host}` })
  for (let attempt = 0; attempt < 100; attempt += 1) await from(`::${attempt.toString(16)}`)

  expect((await from(':a:b:c:d')).statusCode).toBe(429)
  expect(
    (await service.send('GET /roles', undefined, { token: 'bad.token.x', address: '2001:db8:1:3::1' }))
      .statusCode,
  ).toBe(401)
})

test('a key id in a list is refused', async () => {
  const response = await list(
    await signToken(service.admin, {}, { kid: [service.admin.publicKey.thumbprint] }),
  )

  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toContain('kid')
})

test('a key id that is no thumbprint is refused without a query', async () => {
  const response = await list(await signToken(service.admin, {}, { kid: 'a\u0000b' }))

  expect(response.statusCode).toBe(401)
})

function claims() {
  return { scopes: ['*.read', '*.write'], exp: seconds() + 600 }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** `SignJWT` refuses some of the claims that a hostile client would send. */
async function rawToken(key: TestKey, changes: Record<string, unknown>): Promise<string> {
  const { CompactSign } = await import('jose')
  const payload = Buffer.from(JSON.stringify({ ...claims(), ...changes }))
  return new CompactSign(payload)
    .setProtectedHeader({ alg: 'EdDSA', kid: key.publicKey.thumbprint })
    .sign(createPrivateKey(key.privateKey))
}

async function uploaded({ publicKey }: { readonly publicKey: KeyObject }): Promise<{ thumbprint: string }> {
  const response = await service.send('POST /api-key-pairs', {
    display_name: 'Uploaded',
    role_ids: [ADMINISTRATOR],
    public_key: publicKey.export({ type: 'spki', format: 'pem' }),
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

async function lastUsed(key: TestKey): Promise<string | null> {
  return (await service.send(`GET /api-key-pairs/${key.id}`)).json().last_used_at
}

/** The same database, served by an app with its own caches. */
async function startSecondProcess() {
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
    logger: createLogger('silent'),
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1:3001',
    role: 'all',
    trustProxy: false,
    metricsToken: null,
    isStopping: () => false,
  })
  return {
    list: (token: string) =>
      app.inject({ method: 'GET', url: '/api-key-pairs', headers: { authorization: `Bearer ${token}` } }),
    close: () => app.close(),
  }
}
