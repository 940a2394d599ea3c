import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  codeNow,
  invite,
  PASSWORD,
  personWithPasskey,
  personWithPassword,
  sendFromPage,
} from '#testing/enrol.ts'
import { REPORTING, startTestService, type TestService } from '#testing/harness.ts'
import { PasskeyDevice } from '#testing/passkey-device.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const KEY = { display_name: 'Hers', role_ids: [REPORTING] }
const as = (headers: Record<string, string>, route: string, body?: unknown) =>
  sendFromPage(service, route, body, headers)
const wait = () => service.moveClock(11 * 60_000)

describe('a proof that is older than ten minutes', () => {
  test('is not enough for keys and users, until the user proves it again with a passkey', async () => {
    const { headers, device } = await personWithPasskey(service)
    expect((await as(headers, 'POST /api-key-pairs', KEY)).statusCode).toBe(201)
    wait()

    const refused = await as(headers, 'POST /api-key-pairs', KEY)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().code).toBe('step_up_required')
    const { challenge_id, passkey, has_password } = (await as(headers, 'POST /auth/step-up/options')).json()
    expect(has_password).toBe(false)
    const proved = await as(headers, 'POST /auth/step-up', { challenge_id, passkey: device.sign(passkey) })

    expect(proved.statusCode, proved.body).toBe(201)
    expect((await as(headers, 'GET /users/me')).json().step_up_until).toBe(proved.json().step_up_until)
    expect((await as(headers, 'POST /api-key-pairs', KEY)).statusCode).toBe(201)
  })

  test.each<[string, string, object | undefined]>([
    ['roles of users', 'PUT /users/:id', { role_ids: ['analyst'] }],
    ['accounts of users', 'PUT /users/:id', { merchant_account_ids: ['default'] }],
    ['users', 'POST /users', { email_address: 'x@example.com', name: 'X', role_ids: ['analyst'] }],
    ['links of users', 'POST /users/:id/invitations', undefined],
    ['users that go', 'DELETE /users/:id', undefined],
    ['new roles', 'POST /roles', { name: 'Refund desk', permissions: ['transactions.read'] }],
    ['payouts', 'POST /payouts', {}],
    ['gift cards that are issued', 'POST /gift-cards/issuances', {}],
    ['gift cards that are activated', 'POST /gift-cards/activations', {}],
    ['rules', 'POST /flows/checkout/actions/route-transaction/rules', {}],
    ['rules that are restored', 'POST /flows/versions', { restore: 1 }],
    ['what is retried', 'PUT /flows/retry-policy', {}],
    ['addresses of webhooks', 'POST /webhook-subscriptions', { url: 'https://example.com' }],
    ['new addresses of webhooks', 'PUT /webhook-subscriptions/:id', { url: 'https://example.com' }],
    ['secrets of webhooks', 'POST /webhook-subscriptions/:id/rotate-secret', undefined],
    ['keys of wallets', 'POST /digital-wallets/:id/keys', {}],
    ['files of reports', 'POST /reports/:id/executions/:id/url', {}],
    ['merchant accounts', 'PUT /merchant-accounts/default', { display_name: 'Mine' }],
    ['3-D Secure', 'POST /merchant-accounts/default/three-ds-configurations', {}],
    ['passwords', 'PUT /auth/password', { password: PASSWORD }],
    ['the password that goes', 'DELETE /auth/password', undefined],
    ['authenticator apps', 'POST /auth/password/options', undefined],
    ['recovery codes', 'POST /auth/recovery-codes', undefined],
  ])('is not enough for %s', async (_name, route, body) => {
    const { headers } = await personWithPassword(service)
    const { id } = await invite(service)
    wait()

    const answer = await as(headers, route.replaceAll(':id', id), body)

    expect(answer.statusCode, answer.body).toBe(403)
    expect(answer.json().code).toBe('step_up_required')
  })

  test('is renewed by a password with a code', async () => {
    const { headers, secret } = await personWithPassword(service)
    wait()

    const options = (await as(headers, 'POST /auth/step-up/options')).json()
    const proved = await as(headers, 'POST /auth/step-up', {
      password: PASSWORD,
      code: codeNow(service, secret),
    })

    expect(options).toMatchObject({ passkey: null, has_password: true })
    expect(proved.statusCode, proved.body).toBe(201)
  })

  test('is enough for tokens', async () => {
    wait()

    expect((await service.send('POST /api-key-pairs', KEY)).statusCode).toBe(201)
  })

  test('is not renewed by the passkey of another user, another challenge, or a wrong password', async () => {
    const one = await personWithPasskey(service)
    const other = await personWithPasskey(service)
    wait()
    const ask = async () => (await as(one.headers, 'POST /auth/step-up/options')).json()
    const prove = (body: object) => as(one.headers, 'POST /auth/step-up', body)

    const first = await ask()
    const byOther = await prove({
      challenge_id: first.challenge_id,
      passkey: other.device.sign(first.passkey),
    })
    const second = await ask()
    const byNew = await prove({
      challenge_id: second.challenge_id,
      passkey: new PasskeyDevice().sign(second.passkey),
    })
    const signIn = (await sendFromPage(service, 'POST /auth/sessions/options')).json()
    const bySignIn = await prove({
      challenge_id: signIn.challenge_id,
      passkey: one.device.sign(signIn.passkey),
    })
    const byPassword = await prove({ password: PASSWORD, code: '000000' })

    expect([byOther, byNew, bySignIn, byPassword].map(({ statusCode }) => statusCode)).toEqual([
      401, 401, 401, 401,
    ])
    expect((await as(one.headers, 'POST /api-key-pairs', KEY)).json().code).toBe('step_up_required')
  })
})

describe('passkeys of one’s own', () => {
  test('are added and deleted, but for the last way to sign in', async () => {
    const { headers } = await personWithPasskey(service)
    const { challenge_id, passkey } = (await as(headers, 'POST /auth/passkeys/options')).json()
    const body = { challenge_id, passkey: new PasskeyDevice().register(passkey), passkey_name: 'Phone' }

    const added = await as(headers, 'POST /auth/passkeys', body)
    expect(added.statusCode, added.body).toBe(201)
    expect((await as(headers, 'POST /auth/passkeys', body)).statusCode).toBe(400)
    const { items } = (await as(headers, 'GET /auth/passkeys')).json()
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Phone', 'Passkey'])
    expect((await as(headers, `DELETE /auth/passkeys/${items[1].id}`)).statusCode).toBe(204)
    const last = await as(headers, `DELETE /auth/passkeys/${items[0].id}`)
    expect(last.statusCode).toBe(400)
    expect(last.json().message).toContain('your only way to sign in')
  })

  test('need a fresh proof', async () => {
    const { headers } = await personWithPasskey(service)
    wait()

    expect((await as(headers, 'POST /auth/passkeys/options')).json().code).toBe('step_up_required')
  })
})
