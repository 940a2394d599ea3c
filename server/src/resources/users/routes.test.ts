import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  acceptWithPasskey,
  invite,
  personWithPasskey,
  sendFromPage,
  signInWithPasskey,
} from '#testing/enrol.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { disableUnused } from './disable-unused.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop' })
})
afterAll(() => service.close())

const ROLE = { name: 'Reader', permissions: { allow: ['transactions.read'] }, assignable_to: ['user'] }
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

  test('knows no user for a token', async () => {
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

const as = (user: Pick<SignedInUser, 'headers'>, route: string, body?: unknown) =>
  service.send(route, body, { token: null, headers: user.headers })
let people = 0
const person = (more: object = {}) => {
  people += 1
  return { email_address: `person-${people}@example.com`, name: 'New Person', role_ids: ['analyst'], ...more }
}

describe('inviting a user', () => {
  test('answers a link once, and who was invited', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = person({ merchant_account_ids: ['shop'] })

    const made = await service.send('POST /users', body, { headers })

    expect(made.statusCode, made.body).toBe(201)
    expect(made.json()).toMatchObject({
      status: 'pending',
      email_address: body.email_address,
      roles: [{ slug: 'analyst' }],
      merchant_accounts: [{ id: 'shop', display_name: 'Shop' }],
      has_second_factor: false,
      creator: { name: 'Test key' },
    })
    expect(made.json().invitation_url).toMatch(
      /^http:[/][/]localhost:3000[/]dashboard[/]invitation#[\w-]{43}$/,
    )
    service.moveClock(11 * 60_000)
    const replayed = await service.send('POST /users', body, { headers })
    expect(replayed.json()).toEqual({ ...made.json(), invitation_url: null })
    expect((await service.send(`GET /users/${made.json().id}`)).json()).not.toHaveProperty('invitation_url')
  })

  test('refuses an address that a user has, in any case of letters', async () => {
    const body = person()
    const { id } = (await service.send('POST /users', body)).json()

    const twin = await service.send('POST /users', {
      ...body,
      email_address: body.email_address.toUpperCase(),
    })

    expect(twin.statusCode).toBe(409)
    expect(twin.json().resource_id).toBe(id)
  })

  test.each<[string, object, number, string]>([
    ['an unknown role', { role_ids: ['king'] }, 400, '/role_ids/0'],
    ['a role that only adds to others', { role_ids: ['pii-viewer'] }, 400, '/role_ids/0'],
    ['no role', { role_ids: [] }, 400, '/role_ids'],
    ['an unknown account', { merchant_account_ids: ['nowhere'] }, 400, '/merchant_account_ids/0'],
    ['no address', { email_address: 'mara' }, 400, '/email_address'],
    [
      'an address with a line break',
      { email_address: 'a@b.example\nBcc: c@d.example' },
      400,
      '/email_address',
    ],
    ['an empty name', { name: '   ' }, 400, '/name'],
  ])('refuses %s', async (_name, change, status, pointer) => {
    const response = await service.send('POST /users', person(change))

    expect(response.statusCode, response.body).toBe(status)
    expect(response.json().details[0].pointer).toBe(pointer)
  })

  test('gives no role and no account that the inviter does not have', async () => {
    const manager = await signIn(service, { roles: ['user-manager'], merchantAccountIds: ['shop'] })

    const higher = await as(
      manager,
      'POST /users',
      person({ role_ids: ['administrator'], merchant_account_ids: ['shop'] }),
    )
    const wider = await as(manager, 'POST /users', person({ role_ids: ['user-manager'] }))
    const same = await as(
      manager,
      'POST /users',
      person({ role_ids: ['user-manager'], merchant_account_ids: ['shop'] }),
    )

    expect([higher, wider, same].map(({ statusCode }) => statusCode)).toEqual([403, 403, 201])
    expect(higher.json().details[0].pointer).toBe('/role_ids/0')
    expect(wider.json().details[0].pointer).toBe('/merchant_account_ids')
  })
})

describe('changing a user', () => {
  test('counts at once in an open session: a role, the accounts, and an end', async () => {
    const support = await signIn(service, { roles: ['processing'] })
    const pay = () => as(support, 'POST /buyers', {})
    expect((await pay()).statusCode).toBe(201)

    await service.send(`PUT /users/${support.userId}`, { role_ids: ['analyst'] })
    expect((await pay()).statusCode).toBe(403)
    await service.send(`PUT /users/${support.userId}`, { merchant_account_ids: ['shop'] })
    expect((await as(support, 'GET /users/me')).json().merchant_accounts).toMatchObject([{ id: 'shop' }])
    const disabled = await service.send(`PUT /users/${support.userId}`, { status: 'disabled' })
    expect(disabled.json().status).toBe('disabled')
    expect((await as(support, 'GET /users/me')).statusCode).toBe(401)
    // A user who is let in again has to sign in again.
    await service.send(`PUT /users/${support.userId}`, { status: 'active' })
    expect((await as(support, 'GET /users/me')).statusCode).toBe(401)
  })

  test('is refused to a user who may do less', async () => {
    const boss = await signIn(service)
    const manager = await signIn(service, { roles: ['user-manager'] })

    const changed = await as(manager, `PUT /users/${boss.userId}`, { name: 'Fool' })
    const removed = await as(manager, `DELETE /users/${boss.userId}`)
    const reset = await as(manager, `POST /users/${boss.userId}/invitations`)

    expect([changed, removed, reset].map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
  })

  test('that gains rights ends links that were made for less', async () => {
    const role = (await service.send('POST /roles', ROLE)).json()
    const isUsable = async ({ token }: { token: string }) =>
      (await sendFromPage(service, 'POST /auth/invitations/options', { token })).statusCode === 201
    const [promoted, renamed, moved, widened] = await Promise.all([
      invite(service, { roles: ['user-manager'] }),
      invite(service, { roles: ['customer-support'] }),
      invite(service, { roles: ['analyst'], merchantAccountIds: ['shop'] }),
      invite(service, { roles: [role.id] }),
    ])

    await service.send(`PUT /users/${promoted.id}`, { role_ids: ['administrator'] })
    await service.send(`PUT /users/${renamed.id}`, { name: 'Ida Berg', role_ids: ['customer-support'] })
    await service.send(`PUT /users/${moved.id}`, { merchant_account_ids: ['shop', 'default'] })
    await service.send(`PUT /roles/${role.id}`, {
      permissions: { allow: ['transactions.read', 'transactions.write'] },
    })

    const usable = await Promise.all([promoted, renamed, moved, widened].map(isUsable))
    expect(usable).toEqual([false, true, false, false])
  })

  test('wants a fresh proof of a user, and none of a token', async () => {
    const other = await startTestService()
    const boss = await signIn(other)
    other.moveClock(11 * 60_000)
    const send = (route: string, body?: unknown) =>
      other.send(route, body, { token: null, headers: boss.headers })

    expect((await send('POST /users', person())).json().code).toBe('step_up_required')
    expect((await send(`PUT /users/${boss.userId}`, { name: 'X' })).json().code).toBe('step_up_required')
    expect((await send('GET /users')).statusCode).toBe(200)
    expect((await other.send('POST /users', person())).statusCode).toBe(201)
    await other.close()
  })

  test('deletes for good, and keeps the name in the audit log', async () => {
    const { id, token, emailAddress } = await invite(service)
    const { headers } = await acceptWithPasskey(service, token)
    await as({ headers } as SignedInUser, 'POST /buyers', {})

    expect((await service.send(`DELETE /users/${id}`)).statusCode).toBe(204)

    expect((await service.send(`GET /users/${id}`)).statusCode).toBe(404)
    expect((await as({ headers } as SignedInUser, 'GET /users/me')).statusCode).toBe(401)
    const { items } = (await service.send(`GET /audit-logs?user_id=${id}&resource_type=buyer`)).json()
    expect(items).toMatchObject([
      { user: { id, name: 'Ida Holm', email_address: emailAddress, status: 'deleted' } },
    ])
    expect((await service.send('POST /users', person({ email_address: emailAddress }))).statusCode).toBe(201)
  })

  test('leaves an administrator, though two are taken away at once', async () => {
    const other = await startTestService()
    const [one, two] = [await signIn(other), await signIn(other)]

    const answers = await Promise.all(
      [one, two].map(({ userId }) => other.send(`PUT /users/${userId}`, { status: 'disabled' })),
    )

    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 400])
    const [last] = (await other.send('GET /users?status=active')).json().items
    for (const change of [{ role_ids: ['analyst'] }, { merchant_account_ids: ['default'] }]) {
      const response = await other.send(`PUT /users/${last.id}`, change)
      expect(response.statusCode, response.body).toBe(400)
      expect(response.json().message).toContain('make another user an administrator first')
    }
    expect((await other.send(`DELETE /users/${last.id}`)).statusCode).toBe(400)
    await other.close()
  })
})

test('a caller who is limited to some accounts sees users who are limited to the same', async () => {
  const here = (await service.send('POST /users', person({ merchant_account_ids: ['shop'] }))).json()
  const everywhere = (await service.send('POST /users', person())).json()
  const token = await signToken(await service.addKey({ merchantAccountIds: ['shop'] }))

  const { items } = (await service.send('GET /users?limit=100', undefined, { token })).json()
  const hidden = await service.send(`GET /users/${everywhere.id}`, undefined, { token })

  const ids = items.map(({ id }: { id: string }) => id)
  expect(ids).toContain(here.id)
  expect(ids).not.toContain(everywhere.id)
  expect(hidden.statusCode).toBe(404)
})

test('users who do not sign in for 90 days are disabled, but for the last administrator', async () => {
  const fresh = await startTestService()
  const days = (count: number) => fresh.moveClock(count * 24 * 3_600_000)
  const analyst = await personWithPasskey(fresh, { roles: ['analyst'] })
  const [early, late] = [await personWithPasskey(fresh), await personWithPasskey(fresh)]
  const statuses = () =>
    Promise.all(
      [analyst, early, late].map(async ({ id }) => (await fresh.send(`GET /users/${id}`)).json().status),
    )
  days(60)
  await disableUnused(fresh.context)
  expect(await statuses()).toEqual(['active', 'active', 'active'])
  await signInWithPasskey(fresh, late.device)

  days(31)
  await disableUnused(fresh.context)

  expect(await statuses()).toEqual(['disabled', 'disabled', 'active'])
  expect((await signInWithPasskey(fresh, analyst.device)).statusCode).toBe(401)
  const { items } = (await fresh.send('GET /audit-logs?resource_type=user&limit=2')).json()
  expect(items).toMatchObject([
    { action: 'updated', resource: { id: early.id }, user: { id: null, name: 'Unused for 90 days' } },
    { action: 'updated', resource: { id: analyst.id }, user: { id: null, name: 'Unused for 90 days' } },
  ])
  // Another 90 days begin.
  await fresh.send(`PUT /users/${analyst.id}`, { status: 'active' })
  await disableUnused(fresh.context)
  expect(await statuses()).toEqual(['active', 'disabled', 'active'])
  days(91)
  await disableUnused(fresh.context)
  expect(await statuses()).toEqual(['disabled', 'disabled', 'active'])
  await fresh.close()
})
