import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  acceptWithPassword,
  addSession,
  codeNow,
  invite,
  nextCode,
  PASSWORD,
  personWithPasskey,
  personWithPassword,
  sendFromPage,
  signInWithPasskey,
  tokenIn,
} from '#testing/enrol.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { IdentityProvider } from '#testing/identity-provider.ts'

const EASY =
  'is easy to guess: use several words that do not belong together, and a number that is not a date or a row of keys'
const NEWER = 'a newer canary password 8'

let service: TestService
const logged: string[] = []
beforeAll(async () => {
  service = await startTestService({ onLog: (line) => logged.push(line) })
})
afterAll(() => service.close())
let person: ReturnType<typeof personWithPassword>
beforeAll(() => {
  person = personWithPassword(service, { emailAddress: 'ida@example.com' })
})

type Headers = Record<string, string>
const as = (headers: Headers, route: string, body?: unknown) => sendFromPage(service, route, body, headers)
const signIn = (email_address: string, password: string, code: string | undefined) =>
  sendFromPage(service, 'POST /auth/sessions', { email_address, password, code })
const isSignedIn = async (headers: Headers) => (await as(headers, 'GET /users/me')).statusCode === 200
const state = async (headers: Headers) => (await as(headers, 'GET /auth/password')).json()

describe('a user who is signed in', () => {
  test('changes the password, which ends other sessions and keeps the app and its recovery codes', async () => {
    const { id, emailAddress, secret, headers, recoveryCodes } = await personWithPassword(service)
    const other = await signIn(emailAddress, PASSWORD, nextCode(service, secret))
    const cookie = String(other.headers['set-cookie']).split(';')[0] ?? ''

    const changed = await as(headers, 'PUT /auth/password', { password: NEWER })

    expect(changed.statusCode, changed.body).toBe(200)
    expect(changed.json().recovery_codes).toBeNull()
    expect(await isSignedIn(headers)).toBe(true)
    expect(await isSignedIn({ cookie })).toBe(false)
    expect((await signIn(emailAddress, PASSWORD, recoveryCodes[0])).statusCode).toBe(401)
    expect((await signIn(emailAddress, NEWER, recoveryCodes[0])).statusCode).toBe(201)
    expect((await signIn(emailAddress, NEWER, nextCode(service, secret))).statusCode).toBe(201)
    expect(await state(headers)).toMatchObject({ is_set: true, recovery_codes_left: 9 })
    const { items } = (await service.send(`GET /audit-logs?user_id=${id}&resource_type=password`)).json()
    expect(items).toMatchObject([{ action: 'updated', resource: { id, name: 'Ida Holm' } }])
  })

  test('gets a first password with an app, then takes it away, but never the last way to sign in', async () => {
    const { headers, emailAddress, device } = await personWithPasskey(service)
    expect(await state(headers)).toEqual({
      type: 'password',
      is_set: false,
      changed_at: null,
      recovery_codes_left: 0,
    })
    const early = await as(headers, 'PUT /auth/password', { password: NEWER })
    expect(early.json().details).toMatchObject([{ pointer: '/challenge_id' }])
    const { challenge_id, authenticator } = (await as(headers, 'POST /auth/password/options')).json()
    const set = (code: string, id = challenge_id) =>
      as(headers, 'PUT /auth/password', { password: NEWER, challenge_id: id, code })

    const wrong = await set('000000')
    const good = await set(codeNow(service, authenticator.secret))

    expect(wrong.json().details).toMatchObject([{ pointer: '/code' }])
    expect(good.json().recovery_codes).toHaveLength(10)
    const [code] = good.json().recovery_codes
    expect((await signIn(emailAddress, NEWER, code)).statusCode).toBe(201)
    expect((await as(headers, 'DELETE /auth/password')).statusCode).toBe(204)
    expect((await as(headers, 'DELETE /auth/password')).statusCode).toBe(404)
    expect((await signIn(emailAddress, NEWER, good.json().recovery_codes[1])).statusCode).toBe(401)
    expect((await signInWithPasskey(service, device)).statusCode).toBe(201)
    const only = await personWithPassword(service)
    const refused = await as(only.headers, 'DELETE /auth/password')
    expect(refused.json().message).toBe('add a passkey first: the password is your only way to sign in')
  })

  test('cannot use the new app of another user, half of what an app needs, or a short password', async () => {
    const [one, other] = [await personWithPassword(service), await personWithPassword(service)]
    const { challenge_id, authenticator } = (await as(other.headers, 'POST /auth/password/options')).json()
    const code = codeNow(service, authenticator.secret)

    const answers = [
      await as(one.headers, 'PUT /auth/password', { password: NEWER, challenge_id, code }),
      await as(one.headers, 'PUT /auth/password', { password: NEWER, challenge_id }),
      await as(one.headers, 'PUT /auth/password', { password: NEWER, code }),
      await as(one.headers, 'PUT /auth/password', { password: 'too short' }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 400, 400, 400])
    expect(await state(one.headers)).toMatchObject({ recovery_codes_left: 10 })
  })

  test.each([
    ['aaaaaaaaaaaa', 'add a digit: a password has letters and digits'],
    ['123456789012', 'add a letter: a password has letters and digits'],
    ['password1234', EASY],
    ['P@ssw0rd12345', EASY],
    ['1q2w3e4r5t6y7u', EASY],
    ['aaaaaaaaaaa1', EASY],
    ['switchyard2026', EASY],
    ['Ida@Example.com and 1', 'leave your e-mail address out: it is the first that others would try'],
  ])('cannot choose %s', async (password, message) => {
    const { headers } = await person

    const answer = await as(headers, 'PUT /auth/password', { password })

    expect(answer.statusCode).toBe(400)
    expect(answer.json().details).toMatchObject([{ location: 'body', pointer: '/password', message }])
    const invited = await invite(service)
    const { response } = await acceptWithPassword(service, invited.token, 'without any digit')
    expect(response.json().details).toMatchObject([{ pointer: '/password' }])
    expect((await acceptWithPassword(service, invited.token)).response.statusCode).toBe(201)
  })

  test('cannot choose one of the last four passwords again, also not with a new link', async () => {
    const { id, headers } = await personWithPassword(service)
    const set = async (password: string) => {
      const answer = await as(headers, 'PUT /auth/password', { password })
      return answer.statusCode === 200 ? 'set' : answer.json().details[0].message
    }
    const again = 'was one of your last four passwords: choose another'
    const others = [1, 2, 3, 4].map((number) => `a canary password for turn ${number}`)

    expect(await set(PASSWORD)).toBe(again)
    for (const other of others.slice(0, 3)) expect(await set(other)).toBe('set')
    expect(await set(PASSWORD)).toBe(again)
    expect(await set(others[3] ?? '')).toBe('set')
    const { invitation_url } = (await service.send(`POST /users/${id}/invitations`)).json()
    const { response } = await acceptWithPassword(service, tokenIn(invitation_url), others[1])
    expect(response.json().details).toMatchObject([{ message: again }])
    expect(await set(PASSWORD)).toBe('set')
  })

  test('gets new recovery codes in place of the old, shown once', async () => {
    const { headers, emailAddress, recoveryCodes } = await personWithPassword(service)
    const key = { 'idempotency-key': crypto.randomUUID() }

    const made = await as({ ...headers, ...key }, 'POST /auth/recovery-codes')
    const again = await as({ ...headers, ...key }, 'POST /auth/recovery-codes')

    expect(made.json().recovery_codes).toHaveLength(10)
    expect(again.json().recovery_codes).toBeNull()
    expect((await signIn(emailAddress, PASSWORD, recoveryCodes[0])).statusCode).toBe(401)
    expect((await signIn(emailAddress, PASSWORD, made.json().recovery_codes[0])).statusCode).toBe(201)
    const { headers: without } = await personWithPasskey(service)
    expect((await as(without, 'POST /auth/recovery-codes')).json().message).toContain('set a password first')
  })

  test('has a new name at once, also in what the audit log says next', async () => {
    const { id, headers } = await personWithPasskey(service)

    const changed = await as(headers, 'PUT /users/me', { name: '  Ida Berg ' })
    await as(headers, 'POST /buyers', {})

    expect(changed.json()).toMatchObject({ id, name: 'Ida Berg' })
    const { items } = (await service.send(`GET /audit-logs?user_id=${id}`)).json()
    expect(items[0].user.name).toBe('Ida Berg')
    expect((await as(headers, 'PUT /users/me', { name: ' ' })).statusCode).toBe(400)
  })

  test('renames a passkey, and none of another user', async () => {
    const [one, other] = [await personWithPasskey(service), await personWithPasskey(service)]
    const [passkey] = (await as(one.headers, 'GET /auth/passkeys')).json().items
    const rename = (headers: Headers, name: string) =>
      as(headers, `PUT /auth/passkeys/${passkey.id}`, { name })

    expect((await rename(one.headers, 'Old laptop')).json()).toMatchObject({ name: 'Old laptop' })
    expect((await rename(other.headers, 'Mine')).statusCode).toBe(404)
    expect((await rename(one.headers, '')).statusCode).toBe(400)
  })

  test('ends all other sessions, and not those of other users', async () => {
    const [one, other] = [await personWithPasskey(service), await personWithPasskey(service)]
    await addSession(service, one.id)
    await addSession(service, one.id)

    expect((await as(one.headers, 'DELETE /auth/sessions/others')).statusCode).toBe(204)

    expect((await as(one.headers, 'GET /auth/sessions')).json().items).toMatchObject([{ is_current: true }])
    expect(await isSignedIn(other.headers)).toBe(true)
    const ended = (await service.send(`GET /audit-logs?user_id=${one.id}&action=deleted`)).json().items
    expect(ended).toHaveLength(2)
  })
})

test('no password, code, link, key, cookie or token is in any table, log line or event', async () => {
  const provider = await IdentityProvider.start()
  const other = await startTestService({
    oidc: provider.settings(),
    onLog: (line) => logged.push(line),
  })
  const secrets = [
    ...(await runEveryFlow(other, provider)),
    provider.settings().clientSecret,
    PASSWORD,
    NEWER,
  ]
  const { rows: tables } = await other.database.pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  await other.apiLog.flush()

  const leaks: string[] = []
  const search = (place: string, text: string) =>
    leaks.push(...secrets.filter((value) => text.includes(value)).map((value) => `${place}: ${value}`))
  for (const { name } of tables) {
    const { rows } = await other.database.pool.query<{ text: string }>(
      `select row::text as text from ${name} as row`,
    )
    search(name, rows.map((row) => row.text).join('\n'))
  }
  search('log', logged.join('\n'))

  expect(tables.length).toBeGreaterThan(50)
  expect(logged.join('\n')).toContain('create_oidc_session')
  expect(secrets.every((secret) => secret.length >= 6)).toBe(true)
  expect(leaks).toEqual([])
  await other.close()
  await provider.close()
})

/** Returns every secret that passed through the service, in good and in bad requests. */
async function runEveryFlow(of: TestService, provider: IdentityProvider): Promise<string[]> {
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })
  const send = (route: string, body?: unknown, headers: Headers = {}) =>
    sendFromPage(of, route, body, { ...headers, ...key() })
  const { token, secret, emailAddress, headers, recoveryCodes } = await personWithPassword(of)
  const signingIn = { email_address: emailAddress, password: PASSWORD }
  const wrong = {
    email_address: 'typed-by-mistake@canary.example',
    password: 'typed-by-mistake',
    code: '000000',
  }
  await send('POST /auth/sessions', { ...signingIn, code: nextCode(of, secret) })
  await send('POST /auth/sessions', wrong)
  await send('POST /auth/sessions', { ...signingIn, code: 'wrong-canary-code' })
  await send('POST /auth/invitations/options', { token: 'guessed-canary-link' })
  await send('POST /auth/step-up', { password: PASSWORD, code: recoveryCodes[0] }, headers)
  const codes = (await send('POST /auth/recovery-codes', undefined, headers)).json().recovery_codes
  const app = (await send('POST /auth/password/options', undefined, headers)).json()
  const code = codeNow(of, app.authenticator.secret)
  const changed = await send(
    'PUT /auth/password',
    { password: NEWER, challenge_id: app.challenge_id, code },
    headers,
  )
  provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true, groups: ['support'] }
  const { authorization_url, browser_key } = (await send('POST /auth/oidc/options')).json()
  const answer = await provider.visit(authorization_url)
  const oidc = await send('POST /auth/oidc', { ...answer, browser_key })
  if (oidc.statusCode !== 201) throw new Error(oidc.body)
  await send('POST /auth/oidc', { ...answer, browser_key })
  const cookie = String(oidc.headers['set-cookie']).split(';')[0] ?? ''
  const left = await send('DELETE /auth/oidc', undefined, { cookie })
  const idToken = new URL(left.json().sign_out_url).searchParams.get('id_token_hint') ?? ''
  const cookies = [cookie, headers.cookie].map((text) => text.split('=')[1] ?? '')
  const texts = [wrong.password, 'typed-by-mistake@canary', 'wrong-canary-code', 'guessed-canary-link']
  return [
    ...[token, secret, app.authenticator.secret, browser_key, answer['code'] ?? '', idToken],
    ...[...cookies, ...recoveryCodes, ...codes, ...changed.json().recovery_codes, ...texts],
  ]
}
