import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { CARD } from '#testing/till.ts'

const MINUTE_MS = 60_000
const ENDED = 'the session has ended: sign in again'
const FOREIGN = 'the cookie of a session counts only in requests of our own pages'

let service: TestService
let mara: SignedInUser
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop' })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  mara = await signIn(service, { name: 'Mara Lind', emailAddress: 'mara@example.com' })
})
afterAll(() => service.close())

const as = (user: Pick<SignedInUser, 'headers'>, route = 'GET /users/me', body?: unknown) =>
  service.send(route, body, { token: null, headers: user.headers })
const withHeaders = (headers: Record<string, string>, route = 'GET /buyers') =>
  service.send(route, undefined, { token: null, headers: { cookie: mara.headers.cookie, ...headers } })
const reason = (response: { json: () => { details: { message: string }[] } }) =>
  response.json().details[0]?.message

describe('a session', () => {
  test('calls operations as its user', async () => {
    const made = await as(mara, 'POST /buyers', { display_name: 'Anna' })

    expect(made.statusCode, made.body).toBe(201)
    const { items } = (await service.send(`GET /audit-logs?user_id=${mara.userId}`)).json()
    expect(items).toMatchObject([
      {
        action: 'created',
        resource: { type: 'buyer', id: made.json().id },
        user: { id: mara.userId, name: 'Mara Lind', email_address: 'mara@example.com', status: 'active' },
      },
    ])
  })

  test('makes its user the creator of keys, webhook subscriptions and refunds', async () => {
    const key = await as(mara, 'POST /api-key-pairs', { display_name: 'Hers', role_ids: [REPORTING] })
    const subscription = await as(mara, 'POST /webhook-subscriptions', { url: 'https://hooks.example.com/x' })

    expect(key.json().creator).toEqual({
      id: mara.userId,
      name: 'Mara Lind',
      email_address: 'mara@example.com',
      thumbprint: null,
    })
    const creator = { id: mara.userId, name: 'Mara Lind', email_address: 'mara@example.com' }
    expect(subscription.json().creator).toEqual(creator)
    const sale = { amount: 1299, currency: 'USD', country: 'US', intent: 'capture', payment_method: CARD }
    const { id } = (await service.send('POST /transactions', sale)).json()
    const refund = await as(mara, `POST /transactions/${id}/refunds`, {})
    expect(refund.json().creator, refund.body).toEqual(creator)
  })

  test('has idempotency keys of its own', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { display_name: 'Twice', role_ids: [REPORTING] }

    const first = await service.send('POST /api-key-pairs', body, { headers })
    const other = await service.send('POST /api-key-pairs', body, {
      token: null,
      headers: { ...mara.headers, ...headers },
    })

    expect(other.statusCode).toBe(201)
    expect(other.json().id).not.toBe(first.json().id)
  })

  test('may do what the roles of its user allow, and no more', async () => {
    const analyst = await signIn(service, { roles: ['analyst'] })

    expect((await as(analyst, 'GET /transactions')).statusCode).toBe(200)
    const refused = await as(analyst, 'POST /buyers', {})
    expect(refused.statusCode).toBe(403)
    expect(refused.json().details).toMatchObject([
      { pointer: '/cookie', message: 'none of your roles allows buyers.write' },
    ])
  })

  test('acts on the merchant accounts of its user alone', async () => {
    const limited = await signIn(service, { merchantAccountIds: ['shop'] })

    const made = await as(limited, 'POST /buyers', {})
    expect(made.json().merchant_account_id).toBe('shop')
    const other = await service.send('GET /buyers', undefined, {
      token: null,
      headers: limited.headers,
      account: 'other',
    })
    expect(other.statusCode).toBe(403)
  })
})

describe('the cookie of a session', () => {
  test.each(['cross-site', 'same-site', 'none', ''])('does not count from another page: %s', async (site) => {
    const response = await withHeaders({ 'sec-fetch-site': site, origin: 'http://127.0.0.1:3000' })

    expect(response.statusCode).toBe(401)
    expect(reason(response)).toBe(FOREIGN)
  })

  test.each([undefined, 'null', 'https://evil.example.com', 'http://127.0.0.1:3001'])(
    'does not count without Fetch Metadata from the origin %s',
    async (origin) => {
      const response = await withHeaders(origin === undefined ? {} : { origin })

      expect(response.statusCode).toBe(401)
      expect(reason(response)).toBe(FOREIGN)
    },
  )

  test.each(['http://127.0.0.1:3000', 'http://localhost:3000'])(
    'counts without Fetch Metadata from our own origin: %s',
    async (origin) => {
      expect((await withHeaders({ origin })).statusCode).toBe(200)
    },
  )

  test('is refused beside a token, which counts alone', async () => {
    const token = await signToken(service.admin)
    const both = await service.send('GET /buyers', undefined, { token, headers: mara.headers })
    const foreign = await service.send('GET /buyers', undefined, {
      token,
      headers: { ...mara.headers, 'sec-fetch-site': 'cross-site' },
    })

    expect(both.statusCode).toBe(401)
    expect(reason(both)).toBe('send a token or the cookie of a session, not both')
    expect(foreign.statusCode).toBe(200)
  })

  test.each(['', 'x', 'A'.repeat(43), '../../..', '%00'])('is refused if guessed: %s', async (value) => {
    const cookie = `${mara.cookie.name}=${value}`

    const response = await as({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })

    expect(response.statusCode).toBe(401)
    expect(reason(response)).toBe(ENDED)
  })

  test('is refused if it is there twice', async () => {
    const cookie = `${mara.headers.cookie}; ${mara.headers.cookie}`

    const response = await as({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })

    expect(response.statusCode).toBe(401)
  })

  test('is found among others', async () => {
    const cookie = `a=b; x${mara.headers.cookie}; ${mara.headers.cookie};c=d`

    expect((await as({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })).statusCode).toBe(200)
  })

  test('guesses are limited by address', async () => {
    const headers = { cookie: `${mara.cookie.name}=${'B'.repeat(43)}`, 'sec-fetch-site': 'same-origin' }
    const guess = () =>
      service.send('GET /users/me', undefined, { token: null, headers, address: '10.9.9.9' })

    const statuses = new Set<number>()
    for (let index = 0; index < 110; index += 1) statuses.add((await guess()).statusCode)

    expect([...statuses]).toEqual([401, 429])
  })
})

describe('a session ends', () => {
  test('at once when its user is disabled', async () => {
    const leaver = await signIn(service)
    expect((await as(leaver)).statusCode).toBe(200)

    await service.context.db
      .updateTable('users')
      .set({ status: 'disabled' })
      .where('id', '=', leaver.userId)
      .execute()

    await expect.poll(async () => (await as(leaver)).statusCode, { timeout: 20_000 }).toBe(401)
  })

  test('after 15 minutes without use, and not before', async () => {
    const other = await startTestService()
    const user = await signIn(other)
    const look = () => other.send('GET /users/me', undefined, { token: null, headers: user.headers })
    for (let index = 0; index < 4; index += 1) {
      other.moveClock(14 * MINUTE_MS)
      expect((await look()).statusCode).toBe(200)
    }

    other.moveClock(15 * MINUTE_MS)

    const response = await look()
    expect(response.statusCode).toBe(401)
    expect(reason(response)).toBe(ENDED)
    await other.close()
  })

  test('although a page looks again by itself, while its user is away', async () => {
    const other = await startTestService()
    const user = await signIn(other)
    const poll = () =>
      other.send('GET /users/me', undefined, {
        token: null,
        headers: { ...user.headers, 'x-background': 'true' },
      })
    for (const _ of [1, 2]) {
      other.moveClock(7 * MINUTE_MS)
      expect((await poll()).statusCode).toBe(200)
    }

    other.moveClock(MINUTE_MS)

    expect((await poll()).statusCode).toBe(401)
    await other.close()
  })

  test('after 12 hours, however often it is used', async () => {
    const other = await startTestService()
    const user = await signIn(other)
    const look = () => other.send('GET /users/me', undefined, { token: null, headers: user.headers })
    for (let minute = 0; minute < 12 * 60 - 14; minute += 14) {
      expect((await look()).statusCode).toBe(200)
      other.moveClock(14 * MINUTE_MS)
    }

    other.moveClock(14 * MINUTE_MS)

    expect((await look()).statusCode).toBe(401)
    await other.close()
  })
})
