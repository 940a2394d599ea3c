import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import {
  acceptWithPasskey,
  cookieOf,
  invite,
  personWithPasskey,
  sendFromPage,
  signInWithPasskey as signInWith,
  tokenIn,
} from '#testing/enrol.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { IdentityProvider } from '#testing/identity-provider.ts'
import type { PasskeyDevice } from '#testing/passkey-device.ts'
import { signIn } from '#testing/sign-in.ts'
import * as identities from './store.ts'

let provider: IdentityProvider
let service: TestService
let count = 0
const restart = async () => {
  await service?.close()
  service = await startTestService({ oidc: provider.settings() })
  provider.clock = service.context.clock
}
beforeAll(async () => {
  provider = await IdentityProvider.start()
  await restart()
})
afterAll(async () => {
  await service.close()
  await provider.close()
})
beforeEach(() => {
  count += 1
  Object.assign(provider, { wrong: {}, more: {}, asksAgain: true, isAway: false, signsWithOtherKey: false })
  provider.signInNow()
  provider.person = {
    sub: `person-${count}`,
    name: 'Ida Holm',
    email: `ida-${count}@example.com`,
    email_verified: true,
    groups: ['everybody', 'support'],
  }
})

const begin = async (of = service) => (await sendFromPage(of, 'POST /auth/oidc/options')).json()
const finish = (body: object, of = service) => sendFromPage(of, 'POST /auth/oidc', body)

/** From the button to the answer of our service. */
async function enter(of = service) {
  const { authorization_url, browser_key } = await begin(of)
  return finish({ ...(await provider.visit(authorization_url)), browser_key }, of)
}

type Answer = Awaited<ReturnType<typeof finish>>
const as = (answer: Answer, route = 'GET /users/me', body?: unknown) =>
  sendFromPage(service, route, body, cookieOf(answer))
const signInWithPasskey = (device: PasskeyDevice) => signInWith(service, device)
const reason = (answer: Answer) => answer.json().details[0].message

describe('a person whom the identity provider has checked', () => {
  test('becomes a user with the roles of the claim, under whose name the audit log has the sign-in', async () => {
    const answer = await enter()

    expect(answer.statusCode, answer.body).toBe(201)
    const me = (await as(answer)).json()
    expect(me).toMatchObject({
      name: 'Ida Holm',
      email_address: provider.person['email'],
      status: 'active',
      roles: [{ slug: 'customer-support' }],
      is_unrestricted: true,
      has_passkey: false,
      has_oidc: true,
    })
    const { items } = (await service.send('GET /audit-logs?limit=2')).json()
    expect(items).toMatchObject([
      { action: 'created', resource: { type: 'user-session' }, user: { id: me.id, name: 'Ida Holm' } },
      {
        action: 'created',
        resource: { type: 'user', id: me.id },
        user: { id: null, name: 'Sign-in with Example Inc.' },
      },
    ])
  })

  test('is the same user next time, as the provider describes them then', async () => {
    const first = (await enter()).json().user
    provider.person = {
      ...provider.person,
      name: 'Ida Berg',
      email: `berg-${count}@example.com`,
      groups: 'payments-admins',
    }

    const second = (await enter()).json().user

    expect(second).toEqual({ id: first.id, name: 'Ida Berg', email_address: provider.person['email'] })
    const user = (await service.send(`GET /users/${first.id}`)).json()
    expect(user.roles).toMatchObject([{ slug: 'administrator' }])
  })

  test('has the roles that only the details of the user tell', async () => {
    const { groups, ...person } = provider.person
    Object.assign(provider, { person, more: { groups } })

    expect((await enter()).statusCode).toBe(201)
  })

  test('takes the place of an invited user whose e-mail address the provider has checked', async () => {
    const invited = await invite(service, { emailAddress: `IDA-${count}@example.com` })

    const { user } = (await enter()).json()

    expect(user.id).toBe(invited.id)
    const late = await sendFromPage(service, 'POST /auth/invitations/options', { token: invited.token })
    expect(late.statusCode).toBe(404)
  })

  test('is not followed by a stranger who accepted an invitation with their e-mail address', async () => {
    const invited = await invite(service, {
      emailAddress: `ida-${count}@example.com`,
      roles: ['user-manager'],
    })
    const stranger = await acceptWithPasskey(service, invited.token)
    provider.person['groups'] = 'payments-admins'

    const answer = await enter()

    expect((await as(answer)).json()).toMatchObject({ id: invited.id, has_passkey: false, has_oidc: true })
    const open = await sendFromPage(service, 'GET /users/me', undefined, stranger.headers)
    expect(open.statusCode).toBe(401)
    expect((await signInWithPasskey(stranger.device)).statusCode).toBe(401)
  })

  test('has no other way in from the first sign-in on, though it gives them nothing more', async () => {
    const invited = await invite(service, {
      emailAddress: `ida-${count}@example.com`,
      roles: ['customer-support'],
    })
    const stranger = await acceptWithPasskey(service, invited.token)
    const renewed = tokenIn(
      (await service.send(`POST /users/${invited.id}/invitations`)).json().invitation_url,
    )

    const first = await enter()
    provider.person['groups'] = 'payments-admins'
    await enter()

    expect((await as(first)).json()).toMatchObject({ id: invited.id, has_second_factor: false })
    const open = await sendFromPage(service, 'GET /users/me', undefined, stranger.headers)
    expect(open.statusCode).toBe(401)
    const signedIn = await signInWithPasskey(stranger.device)
    expect(signedIn.statusCode).toBe(401)
    expect(reason(signedIn)).toContain('or sign in with Example Inc.')
    const late = await sendFromPage(service, 'POST /auth/invitations/options', { token: renewed })
    expect(late.statusCode).toBe(404)
    const link = await service.send(`POST /users/${invited.id}/invitations`)
    expect(link.json().message).toContain('this user signs in at the identity provider')
  })

  test('cannot sign in with a passkey that is there all the same', async () => {
    const own = await personWithPasskey(service)
    const identity = { issuer: provider.issuer, subject: `late-${count}` }
    await inTransaction(service.context, (tx) => identities.insert(tx, own.id, identity))

    const answer = await signInWithPasskey(own.device)

    expect(answer.statusCode).toBe(403)
    expect(reason(answer)).toBe(
      'sign in with Example Inc.: you have an account there, and no other way to sign in here',
    )
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('is asked for again at the provider after an hour', async () => {
    const session = await enter()
    for (let minutes = 0; minutes < 60; minutes += 10) {
      expect((await as(session)).statusCode).toBe(200)
      service.moveClock(10 * 60_000)
    }
    expect((await as(session)).statusCode).toBe(401)
  })

  test('is one user, though two browsers sign in for the first time at once', async () => {
    const [one, other] = await Promise.all([enter(), enter()])

    expect([one.statusCode, other.statusCode]).toEqual([201, 201])
    expect(one.json().user.id).toBe(other.json().user.id)
  })

  test('acts on the merchant accounts of the claim, and on none that is not there', async () => {
    const other = await startTestService({
      oidc: provider.settings({ accountsClaim: 'https://x.example/shops' }),
    })
    await other.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop' })
    const accountsOf = async (shops: unknown) => {
      provider.person['https://x.example/shops'] = shops
      const answer = await enter(other)
      if (answer.statusCode !== 201) return reason(answer)
      const { id } = answer.json().user
      return (await other.send(`GET /users/${id}`))
        .json()
        .merchant_accounts.map(({ id }: { id: string }) => id)
    }

    expect(await accountsOf(['shop', 'gone'])).toEqual(['shop'])
    expect(await accountsOf('*')).toEqual([])
    for (const none of [[], ['gone'], undefined, 7])
      expect(await accountsOf(none)).toContain('gives you none')
    await other.close()
  })
})

describe('a sign-in is refused', () => {
  test.each<[string, () => object]>([
    ['the wrong nonce', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['the wrong audience', () => ({ aud: 'another-client' })],
    ['the wrong issuer', () => ({ iss: 'https://evil.example.com' })],
    ['an expired token', () => ({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ['a token of the future', () => ({ nbf: Math.floor(Date.now() / 1000) + 600 })],
    [
      'a token that was made later',
      () => ({ iat: Math.floor(service.context.clock().getTime() / 1000) + 600 }),
    ],
    ['no subject', () => ({ sub: undefined })],
  ])('with %s', async (_name, wrong) => {
    provider.wrong = wrong() as Record<string, unknown>

    const answer = await enter()

    expect(answer.statusCode, answer.body).toBe(401)
    expect(reason(answer)).toContain('begin again')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('with a token that another key has signed', async () => {
    provider.signsWithOtherKey = true

    expect((await enter()).statusCode).toBe(401)
  })

  test('with the wrong state, a guessed code, another issuer, or in another browser', async () => {
    const mixed = async (change: (answer: Record<string, string>) => Promise<object> | object) => {
      const { authorization_url, browser_key } = await begin()
      const answer = await provider.visit(authorization_url)
      return finish({ browser_key, ...answer, ...(await change(answer)) })
    }

    const answers = [
      await mixed(async () => ({ state: (await begin()).state })),
      await mixed(() => ({ state: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0008' })),
      await mixed(() => ({ code: 'guessed' })),
      await mixed(() => ({ iss: 'https://evil.example.com' })),
      await mixed(async () => ({ browser_key: (await begin()).browser_key })),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401])
  })

  test('a second time, and after ten minutes', async () => {
    const { authorization_url, browser_key } = await begin()
    const body = { ...(await provider.visit(authorization_url)), browser_key }
    await finish(body)
    const late = await begin()
    const lateBody = { ...(await provider.visit(late.authorization_url)), browser_key: late.browser_key }

    const again = await finish(body)
    service.moveClock(11 * 60_000)

    expect([again.statusCode, (await finish(lateBody)).statusCode]).toEqual([401, 401])
  })

  test.each([[['nothing-of-ours']], [['viewers']], [[]], [undefined], [{ support: true }]])(
    'without a role that counts alone: %j',
    async (groups) => {
      provider.person['groups'] = groups

      const answer = await enter()

      expect(answer.statusCode).toBe(403)
      expect(reason(answer)).toBe(
        'ask an administrator of Example Inc. for a role: your account there gives you none in this dashboard',
      )
      expect((await service.send('GET /users?limit=100')).body).not.toContain(provider.person['email'])
    },
  )

  test('when the role is gone, which ends open sessions, too', async () => {
    const session = await enter()
    expect((await as(session, 'GET /transactions')).statusCode).toBe(200)
    provider.person['groups'] = []

    expect((await enter()).statusCode).toBe(403)

    expect((await as(session, 'GET /transactions')).statusCode).toBe(401)
  })

  test('of a disabled user', async () => {
    const { user } = (await enter()).json()
    await service.send(`PUT /users/${user.id}`, { status: 'disabled' })

    const answer = await enter()
    expect(answer.statusCode).toBe(403)
    expect(reason(answer)).toContain('you cannot sign in here')
    const active = await service.send(`PUT /users/${user.id}`, { status: 'active' })
    expect(active.json().status).toBe('active')
    expect((await enter()).statusCode).toBe(201)
  })

  test.each([
    [{ email_verified: false }, 'verify your e-mail address at Example Inc. first'],
    [{ email_verified: undefined }, 'an administrator has Example Inc. send email_verified'],
    [{ email_verified: 'true' }, 'verify your e-mail address'],
  ])('if it would take over another user with an unchecked e-mail address: %j', async (claims, message) => {
    const victim = await signIn(service, { emailAddress: `ida-${count}@example.com` })
    Object.assign(provider.person, claims)

    const answer = await enter()

    expect(answer.statusCode).toBe(403)
    expect(reason(answer)).toContain(message)
    expect((await service.send(`GET /users/${victim.userId}`)).json()).toMatchObject({
      has_oidc: false,
      roles: [{ slug: 'administrator' }],
    })
  })

  test('if it would share the user of another person at the provider', async () => {
    expect((await enter()).statusCode).toBe(201)
    provider.person['sub'] = 'another-person'

    const answer = await enter()

    expect(answer.statusCode).toBe(403)
    expect(reason(answer)).toContain('another user has your e-mail address')
  })

  test('if it would take a free e-mail address that the provider has not checked', async () => {
    const { email_verified: _verified, ...person } = provider.person
    provider.person = person

    expect((await enter()).statusCode).toBe(403)

    // Its owner can still come, also if the provider says it as Entra ID does.
    provider.person = { ...person, sub: `owner-${count}`, xms_edov: true }
    expect((await enter()).statusCode).toBe(201)
  })

  test.each([undefined, '', 'no address', 7])('without an e-mail address: %j', async (email) => {
    provider.person['email'] = email

    expect(reason(await enter())).toContain('have Example Inc. send your e-mail address')
  })

  test('while the provider is away, and says what to do', async () => {
    const other = await startTestService({ oidc: provider.settings() })
    const { authorization_url, browser_key } = await begin()
    const body = { ...(await provider.visit(authorization_url)), browser_key }
    provider.isAway = true

    const beginning = await sendFromPage(other, 'POST /auth/oidc/options')
    const finishing = await finish(body)

    for (const answer of [beginning, finishing]) {
      expect(answer.statusCode, answer.body).toBe(502)
      expect(answer.json().details[0].message).toContain(
        'Example Inc. did not answer as it should: try again in a moment',
      )
    }
    provider.isAway = false
    expect((await sendFromPage(other, 'POST /auth/oidc/options')).statusCode).toBe(201)
    await other.close()
  })

  test('with the wrong client secret, which only the operator can mend', async () => {
    const other = await startTestService({ oidc: provider.settings({ clientSecret: 'wrong' }) })

    const answer = await enter(other)

    expect(answer.statusCode).toBe(502)
    expect(answer.json().details[0].message).toContain('check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
    await other.close()
  })

  test('if no provider is set up', async () => {
    const other = await startTestService()

    const answer = await sendFromPage(other, 'POST /auth/oidc/options')
    const options = await sendFromPage(other, 'POST /auth/sessions/options')

    expect(answer.statusCode).toBe(404)
    expect(reason(answer)).toContain('set OIDC_ISSUER')
    expect(options.json().oidc_name).toBeNull()
    await other.close()
  })

  test('unless the provider has checked the person as strongly as we want', async () => {
    const other = await startTestService({ oidc: provider.settings({ acrValues: ['mfa', 'phr'] }) })

    const weak = await enter(other)
    provider.person['acr'] = 'phr'
    const strong = await enter(other)

    expect(reason(weak)).toContain('use a second factor at Example Inc.')
    expect(strong.statusCode).toBe(201)
    await other.close()
  })
})

describe('a fresh proof', () => {
  // The tests before have used up the failures that one address may have.
  beforeAll(restart)
  const KEY = { display_name: 'Hers', role_ids: ['reporting'] }

  async function administrator() {
    provider.person['groups'] = ['payments-admins']
    return enter()
  }
  const ask = async (answer: Answer) => (await as(answer, 'POST /auth/step-up/options')).json()
  const prove = async (answer: Answer, url: string) => {
    const { code, state, iss } = await provider.visit(url)
    return as(answer, 'POST /auth/step-up', { oidc: { code, state, iss } })
  }

  test('is asked of the provider again', async () => {
    const session = await administrator()
    expect((await as(session, 'POST /api-key-pairs', KEY)).statusCode).toBe(201)
    service.moveClock(11 * 60_000)
    expect((await as(session, 'POST /api-key-pairs', KEY)).json().code).toBe('step_up_required')
    const options = await ask(session)
    expect(options).toMatchObject({ passkey: null, has_password: false, oidc: { name: 'Example Inc.' } })
    const { searchParams } = new URL(options.oidc.authorization_url)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])

    const proved = await prove(session, options.oidc.authorization_url)

    expect(proved.statusCode, proved.body).toBe(201)
    expect((await as(session, 'POST /api-key-pairs', KEY)).statusCode).toBe(201)
  })

  test('is not there if the person signed in at the provider long ago, or it does not say when', async () => {
    provider.signedInAt -= 3600
    const early = await administrator()
    provider.person['auth_time'] = undefined
    const silent = await enter()

    for (const session of [early, silent]) {
      expect((await as(session, 'POST /api-key-pairs', KEY)).json().code).toBe('step_up_required')
    }
  })

  test('is refused if the provider did not ask again, or another person answered', async () => {
    const session = await administrator()
    provider.asksAgain = false
    provider.signedInAt -= 3600
    const old = await prove(session, (await ask(session)).oidc.authorization_url)
    provider.asksAgain = true
    provider.person = { ...provider.person, sub: 'somebody-else' }
    const other = await prove(session, (await ask(session)).oidc.authorization_url)

    expect(reason(old)).toContain('sign in again at Example Inc.')
    expect(other.statusCode).toBe(401)
  })

  test('is not the answer to a sign-in, nor that of another user, nor given with a password', async () => {
    const session = await administrator()
    const bySignIn = await prove(session, (await begin()).authorization_url)
    const url = (await ask(session)).oidc.authorization_url
    Object.assign(provider.person, { sub: `other-${count}`, email: `other-${count}@example.com` })
    const byOther = await prove(await enter(), url)
    const oidc = { code: 'x', state: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0008' }
    const both = await as(session, 'POST /auth/step-up', { oidc, password: 'secret' })

    expect([bySignIn.statusCode, byOther.statusCode, both.statusCode]).toEqual([401, 401, 400])
  })

  test('of a person whose role is gone ends their sessions', async () => {
    const session = await administrator()
    const { oidc } = await ask(session)
    provider.person['groups'] = []

    expect((await prove(session, oidc.authorization_url)).statusCode).toBe(403)

    expect((await as(session)).statusCode).toBe(401)
  })
})

test('a user of the provider gets no other way to sign in', async () => {
  const session = await enter()

  const answer = await as(session, 'POST /auth/passkeys/options')

  expect(answer.statusCode, answer.body).toBe(400)
  expect(answer.json().message).toContain('change it at the identity provider')
})
