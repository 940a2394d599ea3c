import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMINISTRATOR, REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import type { ApiError } from '../http/errors.ts'
import * as idempotency from './idempotency.ts'
import { unpackAnswer } from './idempotency.ts'

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(() => {
  key = crypto.randomUUID()
})

const HOUR_MS = 3_600_000
const createKey = (name = 'Shop', token?: string) =>
  service.send(
    'POST /api-key-pairs',
    { display_name: name, role_ids: [REPORTING] },
    { headers: { 'idempotency-key': key }, ...(token && { token }) },
  )
const stored = (text: string) => service.secrets.mac('idempotency-key', text).toString('base64url')
const named = async (name: string) => {
  const rows = await service.context.db
    .selectFrom('api_key_pairs')
    .select('id')
    .where('display_name', '=', name)
    .execute()
  return rows.length
}

test('twenty identical requests at once do the work once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => createKey('Once')))

  const created = answers.filter(({ statusCode }) => statusCode === 201)
  const waiting = answers.filter(({ statusCode }) => statusCode === 409)
  expect(await named('Once')).toBe(1)
  expect(created.length + waiting.length).toBe(20)
  expect(new Set(created.map(({ body }) => body)).size).toBe(1)
  for (const answer of waiting) {
    expect(answer.json()).toMatchObject({ code: 'concurrent_request', status: 409 })
    expect(answer.headers['retry-after']).toBe('1')
  }
  const later = await createKey('Once')
  expect(later.body).toBe(created[0]?.body)
})

test('the order of fields makes no difference, their values do', async () => {
  const send = (body: string) =>
    service.send('POST /api-key-pairs', body, {
      headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    })

  const first = await send(`{"display_name":"Order","role_ids":["${REPORTING}"]}`)
  const again = await send(`{ "role_ids": ["${REPORTING}"], "display_name": "Order" }`)
  const other = await send(`{"display_name":"Other","role_ids":["${REPORTING}"]}`)

  expect(again.body).toBe(first.body)
  expect(other.statusCode).toBe(422)
})

test('the private key is replayed to its caller and cannot be read from the row', async () => {
  const first = await createKey('Secret')
  const again = await createKey('Secret')
  const row = await service.context.db
    .selectFrom('idempotency_keys')
    .select(['request_mac', 'response'])
    .where('key', '=', stored(key))
    .executeTakeFirstOrThrow()

  expect(again.json().private_key).toBe(first.json().private_key)
  expect(first.json().private_key).toContain('BEGIN PRIVATE KEY')
  expect(row.response?.includes('PRIVATE KEY')).toBe(false)
  expect(row.response?.includes('Secret')).toBe(false)
})

test('the private key is replayed for ten minutes, then removed from the row', async () => {
  const { db } = service.context
  const services = { ...service.context, secrets: service.secrets }
  const row = () =>
    db
      .selectFrom('idempotency_keys')
      .select(['owner', 'response', 'lasting_response', 'whole_until'])
      .where('key', '=', stored(key))
      .executeTakeFirstOrThrow()
  const first = await createKey('Minutes')
  await idempotency.hideSecrets(services)
  service.moveClock(9 * 60_000)
  const within = await createKey('Minutes')
  service.moveClock(2 * 60_000)
  const late = await createKey('Minutes')
  await idempotency.hideSecrets(services)
  const later = await createKey('Minutes')
  service.moveClock(-11 * 60_000)

  expect(within.body).toBe(first.body)
  expect(late.json()).toEqual({ ...first.json(), private_key: null })
  expect(late.headers['idempotent-replayed']).toBe('true')
  expect(later.body).toBe(late.body)
  const { owner, response, lasting_response, whole_until } = await row()
  const bound = JSON.stringify([owner, 'POST', '/api-key-pairs', stored(key)])
  const packed = service.secrets.openBytes('idempotency-packed', bound, response ?? Buffer.alloc(0))
  expect(unpackAnswer(packed)).toBe(late.body)
  expect([lasting_response, whole_until]).toEqual([null, null])
})

test('one key does the work once, however the path is spelled', async () => {
  const body = { display_name: 'Spelled', role_ids: [REPORTING] }
  const send = (path: string) => service.send(`POST ${path}`, body, { headers: { 'idempotency-key': key } })

  const first = await send('/api-key-pairs')
  const others = [
    await send('/api%2Dkey-pairs'),
    await send('/%61pi-key-pairs'),
    await send('/api-key-pairs#again'),
  ]

  expect(others.map(({ body: again }) => again)).toEqual(Array(3).fill(first.body))
  expect(await named('Spelled')).toBe(1)
})

test('another API key that uses the same idempotency key does its own work', async () => {
  const token = await signToken(await service.addKey({ roleIds: [ADMINISTRATOR] }))

  const first = await createKey('Shared')
  const second = await createKey('Shared', token)

  expect(second.statusCode).toBe(201)
  expect(second.json().id).not.toBe(first.json().id)
})

test('a validation failure is not remembered', async () => {
  const headers = { 'idempotency-key': key }
  const bad = await service.send('POST /api-key-pairs', { display_name: '' }, { headers })
  const good = await createKey('Mended')

  expect(bad.statusCode).toBe(400)
  expect(good.statusCode).toBe(201)
})

test('a refusal changes nothing and frees the key', async () => {
  const headers = { 'idempotency-key': key }
  const unknownRole = { display_name: 'Refused', role_ids: ['01900000-0000-7000-8000-0000000000ff'] }

  const refused = await service.send('POST /api-key-pairs', unknownRole, { headers })
  const accepted = await createKey('Accepted')

  expect(refused.statusCode).toBe(400)
  expect(accepted.statusCode).toBe(201)
})

test('the header may be quoted', async () => {
  const send = (value: string) =>
    service.send(
      'POST /api-key-pairs',
      { display_name: 'Quoted', role_ids: [REPORTING] },
      { headers: { 'idempotency-key': value } },
    )

  const bare = await send(key)
  const quoted = await send(`"${key}"`)

  expect(quoted.body).toBe(bare.body)
})

test.each([
  ['empty', '', 'value_error.any_str.min_length'],
  ['empty in quotes', '""', 'value_error.any_str.min_length'],
  ['256 characters long', 'k'.repeat(256), 'value_error.any_str.max_length'],
  ['not ASCII', 'schlüssel', 'value_error.str.regex'],
])('a key that is %s is refused', async (_name, value, type) => {
  const response = await service.send(
    'POST /api-key-pairs',
    { display_name: 'Bad', role_ids: [REPORTING] },
    {
      headers: { 'idempotency-key': value },
    },
  )

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'header', pointer: '/idempotency-key', type }])
})

test('a key of 255 characters works', async () => {
  key = 'k'.repeat(255)
  expect((await createKey('Long')).statusCode).toBe(201)
})

test('other methods ignore the header', async () => {
  const headers = { 'idempotency-key': '' }
  expect((await service.send('GET /api-key-pairs', undefined, { headers })).statusCode).toBe(200)
})

test('is kept for 72 hours', async () => {
  const first = await createKey('Kept')
  service.moveClock(71 * HOUR_MS)
  const token = await freshToken()
  const within = await createKey('Kept', token)
  service.moveClock(2 * HOUR_MS)
  const after = await createKey('Kept', await freshToken())
  service.moveClock(-73 * HOUR_MS)

  expect(within.json()).toEqual({ ...first.json(), private_key: null })
  expect(within.headers['idempotent-replayed']).toBe('true')
  expect(after.json().id).not.toBe(first.json().id)
})

test('old keys are purged, young ones stay', async () => {
  await createKey('Old')
  service.moveClock(73 * HOUR_MS)
  const old = key
  key = crypto.randomUUID()
  await createKey('Young', await freshToken())

  await idempotency.purgeOldKeys({ ...service.context, secrets: service.secrets })
  service.moveClock(-73 * HOUR_MS)

  const kept = await service.context.db.selectFrom('idempotency_keys').select('key').execute()
  expect(kept.map((row) => row.key)).toContain(stored(key))
  expect(kept.map((row) => row.key)).not.toContain(stored(old))
})

describe('when the process that held the key has died', () => {
  const request = () => ({ owner: 'default', method: 'POST', path: '/things', key, content: { a: 1 } })
  const services = () => ({ ...service.context, secrets: service.secrets })

  async function claimFirst(): Promise<number> {
    const claim = await idempotency.claim(services(), request())
    if (claim.kind !== 'claimed' || claim.begun !== null) throw new Error('the key is in use')
    return claim.fence
  }

  test('its lease is respected, then one process takes over, and the former owner can store nothing', async () => {
    const first = await claimFirst()
    await expect(idempotency.claim(services(), request())).rejects.toMatchObject({
      code: 'concurrent_request',
    })

    service.moveClock(61_000)
    const takers = await Promise.allSettled(
      Array.from({ length: 5 }, () => idempotency.claim(services(), request())),
    )
    service.moveClock(-61_000)

    const taken = takers
      .filter(({ status }) => status === 'fulfilled')
      .map((taker) => (taker as PromiseFulfilledResult<idempotency.Claim>).value)
    expect(taken).toEqual([{ kind: 'claimed', fence: expect.any(Number), begun: null }])
    const second = taken[0]?.kind === 'claimed' ? taken[0].fence : first
    expect(second).not.toBe(first)
    const store = (fence: number) =>
      service.context.db.transaction().execute((tx) =>
        idempotency.storeAnswer(services(), { db: tx }, request(), {
          fence,
          isNew: false,
          status: 201,
          body: `{"by":${fence}}`,
          lastingBody: `{"by":${fence}}`,
        }),
      )
    await expect(store(first)).rejects.toMatchObject({ code: 'concurrent_request' })
    await store(second)
    expect(await idempotency.claim(services(), request())).toEqual({
      kind: 'replay',
      status: 201,
      body: `{"by":${second}}`,
    })
  })

  test('the next request is told when the lease ends', async () => {
    await idempotency.claim(services(), request())
    idempotency.endWork(services(), request())
    service.moveClock(20_000)

    const refusal = await idempotency.claim(services(), request()).catch((error: ApiError) => error.headers)
    service.moveClock(-20_000)

    expect(Number(refusal['retry-after' as never])).toBeGreaterThan(20)
    expect(Number(refusal['retry-after' as never])).toBeLessThanOrEqual(40)
  })

  test('its begun work is told to the next owner, at once if it released the key itself', async () => {
    const { db } = service.context
    const note = (fence: number, begun: string) =>
      db
        .transaction()
        .execute((tx) =>
          idempotency.noteBegun(services(), { db: tx }, request(), { fence, isNew: false, begun }),
        )
    const first = await claimFirst()
    await note(first, 'payment-1')
    await idempotency.release(services(), request(), first)

    const second = await idempotency.claim(services(), request())

    expect(second).toEqual({ kind: 'claimed', fence: expect.any(Number), begun: 'payment-1' })
    await expect(note(first, 'payment-2')).rejects.toMatchObject({ code: 'concurrent_request' })
    await idempotency.release(services(), request(), first)
    await expect(idempotency.claim(services(), request())).rejects.toMatchObject({
      code: 'concurrent_request',
    })
  })

  test('work that a slow owner begins during a takeover is told, too', async () => {
    const first = await claimFirst()
    await idempotency.release(services(), request(), first)

    const taking = await service.context.db.transaction().execute(async (tx) => {
      await idempotency.noteBegun(services(), { db: tx }, request(), {
        fence: first,
        isNew: false,
        begun: 'payment-1',
      })
      const taker = idempotency.claim(services(), request())
      await waitForLock()
      return { taker }
    })

    expect(await taking.taker).toEqual({ kind: 'claimed', fence: expect.any(Number), begun: 'payment-1' })
  })
})

/** Waits until a transaction waits for rows of another one. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(service.context.db)
    if (rows.length > 0) return
    await sleep(5)
  }
}

function freshToken(): Promise<string> {
  const now = Math.floor(service.context.clock().getTime() / 1000)
  return signToken(service.admin, { nbf: now, exp: now + 60 })
}
