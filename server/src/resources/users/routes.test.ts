import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { signIn } from '#testing/sign-in.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop' })
})
afterAll(() => service.close())

const me = async (headers: Record<string, string>) =>
  (await service.send('GET /users/me', undefined, { token: null, headers })).json()

describe('the current user', () => {
  test('sees every scope and every merchant account as an administrator', async () => {
    const { headers, userId, emailAddress } = await signIn(service, { name: 'Mara Lind' })

    const user = await me(headers)

    expect(user).toMatchObject({
      type: 'user',
      id: userId,
      name: 'Mara Lind',
      email_address: emailAddress,
      status: 'active',
      roles: [{ slug: 'administrator' }],
      merchant_accounts: [{ id: 'default' }, { id: 'shop', display_name: 'Shop' }],
      is_unrestricted: true,
      environment: 'sandbox',
      has_passkey: false,
      has_second_factor: false,
    })
    expect(user.permissions).toEqual(
      expect.arrayContaining(['transactions.read', 'transactions.write', 'api-key-pairs.write']),
    )
    expect(new Date(user.step_up_until).getTime()).toBeLessThan(new Date(user.idle_expires_at).getTime())
  })

  test('sees only what their roles allow and the accounts that are theirs', async () => {
    const { headers } = await signIn(service, {
      roles: ['analyst', 'pii-viewer'],
      merchantAccountIds: ['shop'],
    })

    const user = await me(headers)

    expect(user).toMatchObject({
      merchant_accounts: [{ id: 'shop', display_name: 'Shop' }],
      is_unrestricted: false,
    })
    expect(user.permissions).toContain('transactions.read')
    expect(user.permissions).toContain('buyers.billing-details.read')
    expect(user.permissions).not.toContain('transactions.write')
    expect(user.permissions).not.toContain('users.read')
  })

  test('is asked for another proof ten minutes after the last', async () => {
    const other = await startTestService()
    const { headers } = await signIn(other)
    other.moveClock(11 * 60_000)

    const user = (await other.send('GET /users/me', undefined, { token: null, headers })).json()

    expect(user.step_up_until).toBeNull()
    await other.close()
  })

  test('is nobody for a token', async () => {
    const response = await service.send('GET /users/me')

    expect(response.statusCode).toBe(403)
    expect(response.json().details[0].message).toContain('only a user who is signed in')
  })
})

test('a key cannot have a role that is for users', async () => {
  const response = await service.send('POST /api-key-pairs', { display_name: 'X', role_ids: ['analyst'] })

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([
    { pointer: '/role_ids/0', message: 'use another role: this one is not for API keys' },
  ])
})
