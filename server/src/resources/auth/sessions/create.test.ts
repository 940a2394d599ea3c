import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cookieOf,
  nextCode,
  PASSWORD,
  personWithPasskey,
  personWithPassword,
  sendFromPage,
  signInWithPasskey,
} from '#testing/enrol.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { PasskeyDevice } from '#testing/passkey-device.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const options = async () => (await sendFromPage(service, 'POST /auth/sessions/options')).json()
const signIn = (body: object, of = service) => sendFromPage(of, 'POST /auth/sessions', body)
const me = (headers: Record<string, string>) => sendFromPage(service, 'GET /users/me', undefined, headers)

describe('signing in with a passkey', () => {
  test('begins a session, in the audit log under the user’s name', async () => {
    const { id, device } = await personWithPasskey(service)

    const response = await signInWithPasskey(service, device)

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json().user.id).toBe(id)
    expect((await me(cookieOf(response))).json().id).toBe(id)
    const { items } = (await service.send(`GET /audit-logs?user_id=${id}&resource_type=user-session`)).json()
    expect(items[0]).toMatchObject({
      action: 'created',
      resource: { id: response.json().id },
      user: { id, name: 'Ida Holm' },
    })
  })

  test('refuses the same answer again', async () => {
    const { device } = await personWithPasskey(service)
    const { challenge_id, passkey } = await options()
    const body = { challenge_id, passkey: device.sign(passkey) }
    await signIn(body)

    const replayed = await signIn(body)

    expect(replayed.statusCode).toBe(401)
    expect(replayed.headers['set-cookie']).toBeUndefined()
  })

  test('refuses a copy of the device', async () => {
    const { device } = await personWithPasskey(service)
    const first = await options()
    device.countFrom(40)
    await signIn({ challenge_id: first.challenge_id, passkey: device.sign(first.passkey) })
    const second = await options()
    device.countFrom(20)

    const response = await signIn({ challenge_id: second.challenge_id, passkey: device.sign(second.passkey) })

    expect(response.statusCode).toBe(401)
  })

  test('refuses an unknown passkey, a page or a frame elsewhere, an unchecked or another user, and an old challenge', async () => {
    const { device } = await personWithPasskey(service)
    const other = await personWithPasskey(service)
    const refused = async (make: (passkey: { challenge: string }) => object) => {
      const { challenge_id, passkey } = await options()
      return (await signIn({ challenge_id, passkey: make(passkey) })).statusCode
    }

    expect(await refused((passkey) => new PasskeyDevice().sign(passkey))).toBe(401)
    expect(await refused((passkey) => device.sign(passkey, { origin: 'https://evil.example.com' }))).toBe(401)
    expect(await refused((passkey) => device.sign(passkey, { isVerified: false }))).toBe(401)
    expect(await refused((passkey) => device.sign(passkey, { isFramed: true }))).toBe(401)
    const userHandle = Buffer.from(other.id).toString('base64url')
    expect(await refused((passkey) => device.sign(passkey, { userHandle }))).toBe(401)
    expect(await refused((passkey) => device.sign(passkey))).toBe(201)
    const { challenge_id, passkey } = await options()
    service.moveClock(11 * 60_000)
    expect((await signIn({ challenge_id, passkey: device.sign(passkey) })).statusCode).toBe(401)
  })

  test('refuses a user who was disabled', async () => {
    const { id, device } = await personWithPasskey(service)
    await service.send(`PUT /users/${id}`, { status: 'disabled' })

    expect((await signInWithPasskey(service, device)).statusCode).toBe(401)
  })
})

describe('signing in with a password', () => {
  test('needs a code, each of which counts once', async () => {
    const { emailAddress, secret } = await personWithPassword(service)
    const code = nextCode(service, secret)
    const given = { email_address: emailAddress.toUpperCase(), password: PASSWORD }

    const good = await signIn({ ...given, code: `${code.slice(0, 3)} ${code.slice(3)}` })
    const reused = await signIn({ ...given, code })
    const without = await signIn(given)

    expect(good.statusCode, good.body).toBe(201)
    expect(reused.statusCode).toBe(401)
    expect(without.statusCode).toBe(400)
  })

  test('takes a recovery code in place of a code, once', async () => {
    const { emailAddress, recoveryCodes } = await personWithPassword(service)
    const given = { email_address: emailAddress, password: PASSWORD, code: recoveryCodes[3]?.toUpperCase() }

    const statuses = [(await signIn(given)).statusCode, (await signIn(given)).statusCode]

    expect(statuses).toEqual([201, 401])
  })

  test('says the same about a wrong password, a wrong code and an unknown address', async () => {
    const { emailAddress, secret } = await personWithPassword(service)
    const code = nextCode(service, secret)

    const answers = [
      await signIn({ email_address: emailAddress, password: 'another password', code }),
      await signIn({ email_address: emailAddress, password: PASSWORD, code: '000000' }),
      await signIn({ email_address: 'nobody@example.com', password: PASSWORD, code }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  })

  test('locks an address after ten failures for 30 minutes, whether or not a user has it', async () => {
    const fresh = await startTestService()
    const { emailAddress, secret } = await personWithPassword(fresh)
    const fail = (email_address: string) =>
      signIn({ email_address, password: 'wrong password', code: '000000' }, fresh)

    for (const address of [emailAddress, 'nobody@example.com']) {
      const statuses: number[] = []
      for (let index = 0; index < 11; index += 1) statuses.push((await fail(address)).statusCode)
      expect(statuses).toEqual([...Array(10).fill(401), 429])
    }

    const good = () => ({ email_address: emailAddress, password: PASSWORD, code: nextCode(fresh, secret) })
    const locked = await signIn(good(), fresh)
    expect(locked.statusCode).toBe(429)
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(1_700)
    fresh.moveClock(30 * 60_000)
    expect((await signIn(good(), fresh)).statusCode).toBe(201)
    await fresh.close()
  })

  test('a success forgets the failures before it', async () => {
    const fresh = await startTestService()
    const { emailAddress, secret } = await personWithPassword(fresh)
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 9; index += 1) {
        await signIn({ email_address: emailAddress, password: 'wrong password', code: '000000' }, fresh)
      }
      const code = nextCode(fresh, secret)
      const good = await signIn({ email_address: emailAddress, password: PASSWORD, code }, fresh)
      expect(good.statusCode).toBe(201)
    }
    await fresh.close()
  })
})

describe('a sign-in from elsewhere', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'https://evil.example.com' }],
  ])('is refused: %s', async (_name, headers) => {
    const response = await service.send('POST /auth/sessions/options', undefined, { token: null, headers })

    expect(response.statusCode).toBe(403)
  })

  test('has no preflight to pass', async () => {
    const response = await service.app.inject({
      method: 'OPTIONS',
      url: '/auth/sessions',
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
    })

    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('sessions of one’s own', () => {
  test('are listed, ended one by one, and by signing out', async () => {
    const { device, headers: first } = await personWithPasskey(service)
    const second = cookieOf(await signInWithPasskey(service, device))

    const { items } = (await sendFromPage(service, 'GET /auth/sessions', undefined, second)).json()
    expect(items).toMatchObject([
      { method: 'passkey', is_current: true },
      { method: 'setup', is_current: false },
    ])
    const ended = await sendFromPage(service, `DELETE /auth/sessions/${items[1].id}`, undefined, second)
    expect(ended.statusCode).toBe(204)
    expect((await me(first)).statusCode).toBe(401)
    const out = await sendFromPage(service, 'DELETE /auth/sessions', undefined, second)
    expect(out.statusCode).toBe(204)
    expect(out.headers['set-cookie']).toContain('Max-Age=0')
    expect((await me(second)).statusCode).toBe(401)
  })

  test('of another user are not found', async () => {
    const [one, other] = [await personWithPasskey(service), await personWithPasskey(service)]
    const { items } = (await sendFromPage(service, 'GET /auth/sessions', undefined, other.headers)).json()

    const response = await sendFromPage(
      service,
      `DELETE /auth/sessions/${items[0].id}`,
      undefined,
      one.headers,
    )

    expect(response.statusCode).toBe(404)
  })
})

describe('the audit log', () => {
  const failures = async () => {
    const { items } = (await service.send('GET /audit-logs?limit=100')).json()
    const isFailure = ({ resource }: { resource: { type: string } }) =>
      ['failed-sign-in', 'lock-out'].includes(resource.type)
    return items.filter(isFailure)
  }
  const latest = async () => (await failures())[0]

  test('has failed sign-ins: of users by name, and of others without what they typed', async () => {
    const { id, emailAddress, secret } = await personWithPassword(service)
    const { id: ownerId, device } = await personWithPasskey(service)
    const unknown = { type: 'failed-sign-in', id: 'unknown', name: 'Unknown user' }

    await signIn({ email_address: emailAddress, password: 'wrong password', code: nextCode(service, secret) })
    expect(await latest()).toMatchObject({
      action: 'created',
      resource: { type: 'failed-sign-in', id, name: 'Ida Holm' },
    })
    await signIn({ email_address: 'a-password@typed.here', password: 'wrong password', code: '000000' })
    expect(await latest()).toMatchObject({ resource: unknown })
    const { challenge_id, passkey } = await options()
    await signIn({ challenge_id, passkey: device.sign(passkey, { isVerified: false }) })
    expect(await latest()).toMatchObject({ resource: { type: 'failed-sign-in', id: ownerId } })
    await sendFromPage(service, 'POST /auth/invitations/options', { token: 'guessed' })
    expect(await latest()).toMatchObject({ resource: unknown, user: { id: null, name: 'Sign-in' } })
    expect(JSON.stringify(await failures())).not.toContain('typed.here')
  })

  test('has a failed proof under the name of its user, a lock-out once, and the sign-out', async () => {
    const { id, emailAddress, headers } = await personWithPassword(service)
    await sendFromPage(service, 'POST /auth/step-up', { password: 'wrong one', code: '000000' }, headers)
    expect(await latest()).toMatchObject({ resource: { type: 'failed-sign-in', id }, user: { id } })
    for (let index = 0; index < 11; index += 1) {
      await signIn({ email_address: emailAddress, password: 'wrong password', code: '000000' })
    }
    await sendFromPage(service, 'DELETE /auth/sessions', undefined, headers)

    const own = (await failures()).filter(({ resource }: { resource: { id: string } }) => resource.id === id)
    expect(own.map(({ resource }: { resource: { type: string } }) => resource.type).sort()).toEqual([
      ...Array(10).fill('failed-sign-in'),
      'lock-out',
    ])
    const [out] = (await service.send(`GET /audit-logs?user_id=${id}&action=deleted`)).json().items
    expect(out).toMatchObject({ resource: { type: 'user-session' }, user: { id } })
  })
})
