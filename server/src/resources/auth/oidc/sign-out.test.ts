import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cookieOf, sendFromPage } from '#testing/enrol.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { IdentityProvider } from '#testing/identity-provider.ts'
import { signIn } from '#testing/sign-in.ts'

let provider: IdentityProvider
let service: TestService
beforeAll(async () => {
  provider = await IdentityProvider.start()
  service = await startTestService({ oidc: provider.settings() })
})
afterAll(async () => {
  await service.close()
  await provider.close()
})
beforeEach(() => {
  Object.assign(provider, { isAway: false, hasSignOut: true })
  provider.signInNow()
  provider.person = {
    sub: 'ida',
    name: 'Ida Holm',
    email: 'ida@example.com',
    email_verified: true,
    groups: ['support'],
  }
})

async function enter(of = service) {
  const { authorization_url, browser_key } = (await sendFromPage(of, 'POST /auth/oidc/options')).json()
  const answer = await provider.visit(authorization_url)
  const entered = await sendFromPage(of, 'POST /auth/oidc', { ...answer, browser_key })
  expect(entered.statusCode, entered.body).toBe(201)
  return cookieOf(entered)
}

test('the session ends here, and the browser learns where to sign out of the provider', async () => {
  const cookie = await enter()

  const left = await sendFromPage(service, 'DELETE /auth/oidc', undefined, cookie)

  expect(left.statusCode, left.body).toBe(200)
  const url = new URL(left.json().sign_out_url)
  expect(url.origin + url.pathname).toBe(`${provider.issuer}/leave`)
  expect(url.searchParams.get('client_id')).toBe('switchyard')
  expect(url.searchParams.get('post_logout_redirect_uri')).toMatch(/[/]dashboard[/]sign-in$/)
  expect(decodeJwt(url.searchParams.get('id_token_hint') ?? '').sub).toBe('ida')
  expect((await sendFromPage(service, 'GET /users/me', undefined, cookie)).statusCode).toBe(401)
})

test('the token is sealed while it is kept, and gone with the session', async () => {
  const cookie = await enter()
  const kept = () =>
    service.context.db
      .selectFrom('user_sessions')
      .select('sealed_id_token')
      .where('sealed_id_token', 'is not', null)
      .execute()

  const [row] = await kept()
  expect(row?.sealed_id_token?.toString('latin1')).not.toMatch(/eyJ/)
  await sendFromPage(service, 'DELETE /auth/oidc', undefined, cookie)
  expect(await kept()).toEqual([])
})

test('a token that is too long for an address is not kept: the provider asks the person', async () => {
  provider.person = { ...provider.person, groups: ['support', 'x'.repeat(5_000)] }
  const cookie = await enter()

  const left = await sendFromPage(service, 'DELETE /auth/oidc', undefined, cookie)

  const url = new URL(left.json().sign_out_url)
  expect(url.searchParams.has('id_token_hint')).toBe(false)
  expect(url.searchParams.get('client_id')).toBe('switchyard')
})

test('without an address of the provider, the session still ends here', async () => {
  provider.hasSignOut = false
  const other = await startTestService({ oidc: provider.settings() })
  try {
    const cookie = await enter(other)
    const left = await sendFromPage(other, 'DELETE /auth/oidc', undefined, cookie)

    expect(left.json()).toEqual({ type: 'oidc-sign-out', sign_out_url: null })
    expect((await sendFromPage(other, 'GET /users/me', undefined, cookie)).statusCode).toBe(401)
  } finally {
    await other.close()
  }
})

test('a user of this installation alone is signed out here', async () => {
  const plain = await startTestService()
  try {
    const { headers } = await signIn(plain)
    const left = await sendFromPage(plain, 'DELETE /auth/oidc', undefined, headers)

    expect(left.json().sign_out_url).toBeNull()
    expect((await sendFromPage(plain, 'GET /users/me', undefined, headers)).statusCode).toBe(401)
  } finally {
    await plain.close()
  }
})
