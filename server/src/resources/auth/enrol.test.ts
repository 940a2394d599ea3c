import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import {
  acceptWithPassword,
  codeNow,
  cookieOf,
  invite,
  PASSWORD,
  personWithPasskey,
  personWithPassword,
  sendFromPage,
  signInWithPasskey,
  tokenIn,
} from '#testing/enrol.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { PasskeyDevice } from '#testing/passkey-device.ts'
import { makeLink } from './links/make.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const PERSON = { email_address: 'first@example.com', name: 'Mara Lind' }
const NO_LINK = 'this link cannot be used, or not any more: ask an administrator for a new one'

async function setupToken(of: TestService): Promise<string> {
  const installation = { secrets: of.secrets, publicUrl: 'http://127.0.0.1:3000' }
  const { url } = await inTransaction(of.context, (tx) =>
    makeLink(tx, installation, { purpose: 'setup', userId: null }),
  )
  expect(url).toMatch(/^http:[/][/]localhost:3000[/]dashboard[/]setup#[\w-]{43}$/)
  return tokenIn(url)
}

async function setUp(of: TestService, token: string, device = new PasskeyDevice()) {
  const options = await sendFromPage(of, 'POST /auth/setup/options', { token, ...PERSON })
  if (options.statusCode !== 201) return options
  const { challenge_id, passkey } = options.json()
  return sendFromPage(of, 'POST /auth/setup', {
    token,
    ...PERSON,
    challenge_id,
    passkey: device.register(passkey),
  })
}

describe('the setup link', () => {
  test('makes the first user an administrator, who is signed in, once', async () => {
    const fresh = await startTestService()
    const token = await setupToken(fresh)

    const device = new PasskeyDevice()
    const response = await setUp(fresh, token, device)

    expect(response.statusCode, response.body).toBe(201)
    expect((await signInWithPasskey(fresh, device)).statusCode).toBe(201)
    expect(response.headers['set-cookie']).toMatch(
      /^switchyard-[0-9a-f]{8}=[\w-]{43}; Path=[/]; HttpOnly; SameSite=Strict$/,
    )
    const me = (
      await fresh.send('GET /users/me', undefined, { token: null, headers: cookieOf(response) })
    ).json()
    expect(me).toMatchObject({
      ...PERSON,
      status: 'active',
      roles: [{ slug: 'administrator' }],
      is_unrestricted: true,
      has_passkey: true,
    })
    const used = await setUp(fresh, token)
    expect(used.statusCode).toBe(404)
    expect(used.json().details[0].message).toBe(NO_LINK)
    // Another link is of no use either, now that there is a user.
    const later = await setUp(fresh, await setupToken(fresh))
    expect(later.statusCode).toBe(404)
    const { items } = (await fresh.send('GET /audit-logs?resource_type=user')).json()
    expect(items).toMatchObject([{ action: 'created', user: { id: null, name: 'Setup link' } }])
    await fresh.close()
  })

  test('ends after 30 minutes, and when a newer one is made', async () => {
    const fresh = await startTestService()
    const first = await setupToken(fresh)
    const second = await setupToken(fresh)

    expect((await setUp(fresh, first)).statusCode).toBe(404)
    fresh.moveClock(31 * 60_000)
    expect((await setUp(fresh, second)).statusCode).toBe(404)
    await fresh.close()
  })

  test.each(['x', 'A'.repeat(43)])('cannot be guessed: %s', async (token) => {
    const response = await setUp(service, token)

    expect(response.statusCode).toBe(404)
    expect(response.json().details).toMatchObject([{ pointer: '/token', message: NO_LINK }])
  })

  test('is one link, though two people use it at once', async () => {
    const fresh = await startTestService()
    const token = await setupToken(fresh)
    const prepare = async () => {
      const { challenge_id, passkey } = (
        await sendFromPage(fresh, 'POST /auth/setup/options', { token, ...PERSON })
      ).json()
      return { token, ...PERSON, challenge_id, passkey: new PasskeyDevice().register(passkey) }
    }
    const [one, other] = [await prepare(), await prepare()]

    const answers = await Promise.all([
      sendFromPage(fresh, 'POST /auth/setup', one),
      sendFromPage(fresh, 'POST /auth/setup', other),
    ])

    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([201, 404])
    await fresh.close()
  })

  test('works on no page but ours', async () => {
    const response = await service.send(
      'POST /auth/setup/options',
      { token: 'x', ...PERSON },
      { token: null, headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' } },
    )

    expect(response.statusCode).toBe(403)
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('an invitation', () => {
  test('is accepted with a passkey, under the name the user chooses', async () => {
    const { id, token } = await invite(service, { roles: ['analyst'], name: 'To be named' })
    const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
    const device = new PasskeyDevice()

    const response = await sendFromPage(service, 'POST /auth/invitations/accept', {
      token,
      name: ' Ida Holm ',
      challenge_id: options.challenge_id,
      passkey: device.register(options.passkey),
      passkey_name: 'Phone',
    })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ type: 'user-session', user: { id, name: 'Ida Holm' } })
    expect(response.json()).not.toHaveProperty('recovery_codes')
    const user = (await service.send(`GET /users/${id}`)).json()
    expect(user).toMatchObject({
      name: 'Ida Holm',
      status: 'active',
      has_passkey: true,
      has_second_factor: true,
    })
    const passkeys = await sendFromPage(service, 'GET /auth/passkeys', undefined, cookieOf(response))
    expect(passkeys.json().items).toMatchObject([{ name: 'Phone' }])
  })

  test('is accepted with a password and the code of an authenticator app, and gives recovery codes', async () => {
    const { id, response, recoveryCodes } = await personWithPassword(service)

    expect(response.statusCode, response.body).toBe(201)
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    const user = (await service.send(`GET /users/${id}`)).json()
    expect(user).toMatchObject({ status: 'active', has_passkey: false, has_second_factor: true })
  })

  test('is not accepted with a passkey that is registered already, nor for a page elsewhere', async () => {
    const { device } = await personWithPasskey(service)
    const { token } = await invite(service)
    const accept = async (manner = {}, passkey = new PasskeyDevice()) => {
      const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
      return sendFromPage(service, 'POST /auth/invitations/accept', {
        token,
        challenge_id: options.challenge_id,
        passkey: passkey.register(options.passkey, manner),
      })
    }

    const twin = await accept({}, device)
    const framed = await accept({ isFramed: true })

    expect(twin.statusCode, twin.body).toBe(409)
    expect(twin.json().details).toMatchObject([
      { pointer: '/passkey', message: 'this passkey is already registered: make a new one' },
    ])
    expect(framed.statusCode).toBe(401)
    expect((await accept()).statusCode).toBe(201)
  })

  test('is accepted once', async () => {
    const { token } = await personWithPasskey(service)

    const again = await sendFromPage(service, 'POST /auth/invitations/options', { token })

    expect(again.statusCode).toBe(404)
  })

  test('ends after three days, and by a newer one', async () => {
    const fresh = await startTestService()
    const first = await invite(fresh)
    const { invitation_url } = (await fresh.send(`POST /users/${first.id}/invitations`)).json()

    const old = await sendFromPage(fresh, 'POST /auth/invitations/options', { token: first.token })
    const newer = await sendFromPage(fresh, 'POST /auth/invitations/options', {
      token: tokenIn(invitation_url),
    })
    fresh.moveClock(73 * 3_600_000)
    const late = await sendFromPage(fresh, 'POST /auth/invitations/options', {
      token: tokenIn(invitation_url),
    })

    expect([old.statusCode, newer.statusCode, late.statusCode]).toEqual([404, 201, 404])
    await fresh.close()
  })

  test('does not count as a setup link, nor for a user who was disabled', async () => {
    const { id, token } = await invite(service)

    const asSetup = await sendFromPage(service, 'POST /auth/setup/options', { token, ...PERSON })
    await service.send(`PUT /users/${id}`, { status: 'disabled' })
    const disabled = await sendFromPage(service, 'POST /auth/invitations/options', { token })

    expect([asSetup.statusCode, disabled.statusCode]).toEqual([404, 404])
  })

  test('for a new start takes the place of everything the user had', async () => {
    const before = await personWithPasskey(service)
    const { id } = before
    const { invitation_url } = (await service.send(`POST /users/${id}/invitations`)).json()
    const isSignedIn = () => sendFromPage(service, 'GET /users/me', undefined, before.headers)
    expect((await isSignedIn()).statusCode).toBe(200)

    await acceptWithPassword(service, tokenIn(invitation_url))

    expect((await isSignedIn()).statusCode).toBe(401)
    const user = (await service.send(`GET /users/${id}`)).json()
    expect(user).toMatchObject({ has_passkey: false, has_second_factor: true })
  })
})

describe('what a user chooses is refused', () => {
  async function offer(change: (options: Options, secret: string) => object) {
    const { token } = await invite(service)
    const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
    return sendFromPage(service, 'POST /auth/invitations/accept', {
      token,
      challenge_id: options.challenge_id,
      ...change(options, options.authenticator.secret),
    })
  }
  type Options = { readonly passkey: { readonly challenge: string; readonly rp: { readonly id: string } } }
  const device = new PasskeyDevice()

  test.each<[string, (options: Options, secret: string) => object]>([
    [
      'a passkey for another page',
      ({ passkey }) => ({ passkey: device.register(passkey, { origin: 'https://evil.example.com' }) }),
    ],
    [
      'a passkey for another domain',
      ({ passkey }) => ({ passkey: device.register({ ...passkey, rp: { id: 'example.com' } }) }),
    ],
    [
      'a passkey for another challenge',
      ({ passkey }) => ({ passkey: device.register({ ...passkey, challenge: 'AAAA' }) }),
    ],
    [
      'a passkey whose device did not check its user',
      ({ passkey }) => ({ passkey: device.register(passkey, { isVerified: false }) }),
    ],
    ['a wrong code', () => ({ password: PASSWORD, code: '000000' })],
    [
      'a challenge of another link',
      ({ passkey }) => ({
        challenge_id: '01900000-0000-7000-8000-0000000000ff',
        passkey: device.register(passkey),
      }),
    ],
  ])('%s', async (_name, change) => {
    const response = await offer(change)

    expect(response.statusCode, response.body).toBe(401)
    expect(response.headers['set-cookie']).toBeUndefined()
  })

  test.each<[string, object, string[]]>([
    ['a short password', { password: 'too short', code: '123456' }, ['/password']],
    ['nothing', {}, ['/password', '/code']],
    ['a password without a code', { password: PASSWORD }, ['/code']],
  ])('%s', async (_name, change, fields) => {
    const response = await offer(() => change)

    expect(response.statusCode).toBe(400)
    expect(response.json().details.map(({ pointer }: { pointer: string }) => pointer)).toEqual(fields)
  })

  test('and the same challenge is not answered by two passkeys', async () => {
    const { token } = await invite(service)
    const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
    const accept = (challenge: string) =>
      sendFromPage(service, 'POST /auth/invitations/accept', {
        token,
        challenge_id: options.challenge_id,
        passkey: device.register({ ...options.passkey, challenge }),
      })
    await accept('AAAA')

    const response = await accept(options.passkey.challenge)

    expect(response.statusCode).toBe(401)
  })

  test('but after a mistyped code, the app still has the right key', async () => {
    const { token } = await invite(service)
    const options = (await sendFromPage(service, 'POST /auth/invitations/options', { token })).json()
    const accept = (code: string) =>
      sendFromPage(service, 'POST /auth/invitations/accept', {
        token,
        challenge_id: options.challenge_id,
        password: PASSWORD,
        code,
      })
    expect((await accept('000000')).statusCode).toBe(401)

    expect((await accept(codeNow(service, options.authenticator.secret))).statusCode).toBe(201)
    expect((await accept(codeNow(service, options.authenticator.secret))).statusCode).toBe(404)
  })
})
