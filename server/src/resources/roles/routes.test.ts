import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleIdOf, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { signIn } from '#testing/sign-in.ts'
import { openTill } from '#testing/till.ts'
import type { RoleDetails } from './schemas.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('lists the built-in roles with what each allows', async () => {
  const { items } = (await service.send('GET /roles')).json()

  expect(items.map(({ slug }: { slug: string }) => slug)).toEqual([
    'administrator',
    'processing',
    'reporting',
    'system-manager',
    'report-manager',
    'analyst',
    'customer-support',
    'system-support',
    'user-manager',
    'pii-viewer',
    'report-viewer',
  ])
  expect(items[0]).toMatchObject({
    type: 'role',
    permissions: { allow: ['*.read', '*.write'] },
    is_standalone_assignable: true,
  })
  for (const { permissions, assignable_to } of items) {
    expect(assignable_to).toContain('user')
    for (const permission of permissions.allow) expect(permission).toMatch(/^([a-z.-]+|\*)[.](read|write)$/)
  }
})

test.each(['processing', 'reporting'])(
  '%s reads events and deliveries, and no webhook secret',
  async (slug) => {
    const { items } = (await service.send('GET /roles')).json()
    const { id } = items.find((role: { slug: string }) => role.slug === slug)
    const key = await service.addKey({ roleIds: [id] })
    const token = await signToken(key)
    const subscription = (
      await service.send('POST /webhook-subscriptions', { url: 'https://hooks.example.com/x' })
    ).json()
    await service.send('POST /buyers', { display_name: 'Anna' })
    const pair = (await service.send('POST /api-key-pairs', { display_name: 'New', role_ids: [slug] })).json()

    const events = await service.send('GET /events', undefined, { token })
    const all = await service.send('GET /events', undefined, { token, account: '*' })
    const ofKeys = await service.send('GET /events?name=api-key-pair.created', undefined, { account: '*' })
    const hidden = await service.send(`GET /events/${ofKeys.json().items[0].id}`, undefined, { token })
    const deliveries = await service.send(
      `GET /webhook-subscriptions/${subscription.id}/deliveries`,
      undefined,
      { token },
    )
    const [delivery] = deliveries.json().items
    const attempts = await service.send(
      `GET /webhook-subscriptions/${subscription.id}/deliveries/${delivery.id}/attempts`,
      undefined,
      { token },
    )
    const subscriptions = await service.send('GET /webhook-subscriptions', undefined, { token })

    expect(events.json().items[0]).toMatchObject({ name: 'buyer.created' })
    expect(ofKeys.json().items[0].target.id).toBe(pair.id)
    expect(all.statusCode).toBe(200)
    expect(all.body).not.toContain('"api-key-pair')
    expect(hidden.statusCode).toBe(404)
    expect([deliveries.statusCode, attempts.statusCode]).toEqual([200, 200])
    expect(subscriptions.statusCode).toBe(403)
  },
)

test('a token for webhook subscriptions reads events, including those of keys', async () => {
  const token = await signToken(service.admin, { scopes: ['webhook-subscriptions.read'] })

  const events = await service.send('GET /events?name=api-key-pair.created', undefined, {
    token,
    account: '*',
  })

  expect(events.json().items.length).toBeGreaterThan(0)
})

test('reporting changes nothing, and system manager moves no money', async () => {
  const { items } = (await service.send('GET /roles')).json()
  const [, , reporting, manager] = items

  expect(reporting.permissions.allow.every((permission: string) => permission.endsWith('.read'))).toBe(true)
  expect(
    manager.permissions.allow.some((permission: string) =>
      /^(transactions|payouts|gift-cards)[.]write/.test(permission),
    ),
  ).toBe(false)
})

let made = 0

async function makeRole(body: object = {}): Promise<RoleDetails> {
  made += 1
  const permissions = { allow: ['buyers.read'] }
  const response = await service.send('POST /roles', { name: `Role ${made}`, permissions, ...body })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

async function refusal(route: string, body?: object, token?: string) {
  const response = await service.send(route, body, token === undefined ? {} : { token })
  return { status: response.statusCode, detail: response.json().details?.[0] }
}

test('a role of your own can be made, read, changed and deleted, and the audit log says so', async () => {
  const role = await makeRole({ name: 'Rück-Erstattung ✓', description: 'Refunds' })
  const path = `/roles/${role.id}`

  const changed = await service.send(`PUT ${path}`, {
    name: 'Refunds',
    permissions: { allow: ['transactions.read', 'transactions.write'] },
    assignable_to: ['user'],
  })
  const read = await service.send(`GET ${path}`)
  const deleted = await service.send(`DELETE ${path}`)

  expect(role).toMatchObject({
    slug: 'custom-ruck-erstattung',
    description: 'Refunds',
    permissions: { allow: ['buyers.read'] },
    assignable_to: ['user', 'api-key-pair'],
    is_standalone_assignable: true,
    is_custom: true,
    holders: { users: 0, api_key_pairs: 0 },
  })
  expect(changed.json()).toMatchObject({ name: 'Refunds', slug: role.slug, description: 'Refunds' })
  expect(read.json()).toEqual(changed.json())
  expect(deleted.statusCode).toBe(204)
  expect((await service.send(`GET ${path}`)).statusCode).toBe(404)
  expect(await openTill(service).audited(role.id)).toEqual([
    'created by Test key',
    'updated by Test key',
    'deleted by Test key',
  ])
})

test('the list has roles of your own beside the built-in ones', async () => {
  const role = await makeRole()

  const { items } = (await service.send('GET /roles?limit=100')).json()

  const { is_custom, holders, created_at, updated_at, ...listed } = role
  expect(items).toContainEqual(listed)
})

test('roles with the same slug or letters that have none get different slugs', async () => {
  const slugs = [
    (await makeRole({ name: 'Same slug' })).slug,
    (await makeRole({ name: 'Same  slug' })).slug,
    (await makeRole({ name: '返金' })).slug,
    (await makeRole({ name: '払戻' })).slug,
    (await makeRole({ name: 'x'.repeat(100) })).slug,
    (await makeRole({ name: `${'x'.repeat(99)}y` })).slug,
  ]

  expect(new Set(slugs).size).toBe(slugs.length)
  for (const slug of slugs) expect(slug).toMatch(/^custom-[a-z0-9-]{1,43}$/)
})

test('a key with a role of your own may do what it allows, and a change counts for its next request', async () => {
  const role = await makeRole({ permissions: { allow: ['buyers.read'] } })
  const key = await service.addKey({ roleIds: [role.id] })
  const token = await signToken(key)
  const status = async (route: string) => (await service.send(route, undefined, { token })).statusCode

  const before = [await status('GET /buyers'), await status('GET /transactions')]
  await service.send(`PUT /roles/${role.id}`, { permissions: { allow: ['transactions.read'] } })
  const after = [await status('GET /buyers'), await status('GET /transactions')]

  expect(before).toEqual([200, 403])
  expect(after).toEqual([403, 200])
})

test('the same holds for a user who is signed in, and the role is in use then', async () => {
  const role = await makeRole({ permissions: { allow: ['buyers.read'] }, assignable_to: ['user'] })
  const { headers } = await signIn(service, { roles: [role.slug] })
  const status = async (route: string) =>
    (await service.send(route, undefined, { token: null, headers })).statusCode

  const before = [await status('GET /buyers'), await status('GET /transactions')]
  await service.send(`PUT /roles/${role.id}`, { permissions: { allow: ['transactions.read'] } })
  const after = [await status('GET /buyers'), await status('GET /transactions')]
  const deleted = await refusal(`DELETE /roles/${role.id}`)

  expect(before).toEqual([200, 403])
  expect(after).toEqual([403, 200])
  expect(deleted).toMatchObject({
    status: 409,
    detail: { message: 'take the role away first: 1 user has it' },
  })
})

test('API key pairs take a role of your own by id and by slug, unless it is for users alone', async () => {
  const role = await makeRole()
  const forUsers = await makeRole({ assignable_to: ['user'] })
  const pair = (role_ids: string[]) => service.send('POST /api-key-pairs', { display_name: 'Own', role_ids })

  const made = await pair([role.slug])
  const refused = await pair([forUsers.id])

  expect(made.json().roles).toMatchObject([{ id: role.id, slug: role.slug }])
  expect(refused.statusCode).toBe(400)
  expect(refused.json().details).toMatchObject([{ pointer: '/role_ids/0' }])
})

test('a role that keys have cannot be deleted, nor taken from them', async () => {
  const role = await makeRole()
  for (const _key of [1, 2]) await service.addKey({ roleIds: [role.id] })

  const deleted = await refusal(`DELETE /roles/${role.id}`)
  const narrowed = await refusal(`PUT /roles/${role.id}`, { assignable_to: ['user'] })
  const read = (await service.send(`GET /roles/${role.id}`)).json()

  const message = 'take the role away first: 2 API keys have it'
  expect(deleted).toMatchObject({ status: 409, detail: { pointer: '/role_id', message } })
  expect(narrowed).toMatchObject({ status: 409, detail: { pointer: '/assignable_to', message } })
  expect(read).toMatchObject({ holders: { api_key_pairs: 2 }, assignable_to: role.assignable_to })
})

test('built-in roles cannot be changed or deleted', async () => {
  const id = await roleIdOf(service.context, 'reporting')

  expect(await refusal(`PUT /roles/${id}`, { name: 'Mine' })).toMatchObject({ status: 403 })
  expect(await refusal(`DELETE /roles/${id}`)).toMatchObject({
    status: 403,
    detail: { pointer: '/role_id', message: 'make a role of your own: built-in roles cannot be changed' },
  })
})

test('a caller grants only what it may do itself, and changes no role that may do more', async () => {
  const own = await makeRole({ permissions: { allow: ['roles.write', 'roles.read', 'buyers.read'] } })
  const stronger = await makeRole({ permissions: { allow: ['buyers.write'] } })
  const token = await signToken(await service.addKey({ roleIds: [own.id] }))
  const allow = ['buyers.read', 'buyers.write', '*.read']

  const beyond = await service.send('POST /roles', { name: 'Beyond', permissions: { allow } }, { token })
  const within = await service.send(
    'POST /roles',
    { name: 'Within', permissions: { allow: ['buyers.read'] } },
    { token },
  )

  expect(beyond.statusCode).toBe(403)
  expect(beyond.json().details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/permissions/allow/1',
    '/permissions/allow/2',
  ])
  expect(within.statusCode).toBe(201)
  const raised = { permissions: { allow: ['*.write'] } }
  expect(await refusal(`PUT /roles/${own.id}`, raised, token)).toMatchObject({ status: 403 })
  expect(await refusal(`PUT /roles/${stronger.id}`, { name: 'Weaker' }, token)).toMatchObject({ status: 403 })
  expect(await refusal(`DELETE /roles/${stronger.id}`, undefined, token)).toMatchObject({ status: 403 })
})

test('a token with fewer scopes than its key grants no more than the token may do', async () => {
  const token = await signToken(service.admin, { scopes: ['roles.write', 'buyers.read'] })
  const body = { name: 'Narrow', permissions: { allow: ['transactions.read'] } }

  expect(await refusal('POST /roles', body, token)).toMatchObject({ status: 403 })
})

test('a key of some merchant accounts changes no role, because it counts for all', async () => {
  const role = await makeRole()
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))
  const body = { name: 'Elsewhere', permissions: { allow: ['buyers.read'] } }

  expect(await refusal('POST /roles', body, token)).toMatchObject({ status: 403 })
  expect(await refusal(`PUT /roles/${role.id}`, { name: 'New' }, token)).toMatchObject({ status: 403 })
  expect(await refusal(`DELETE /roles/${role.id}`, undefined, token)).toMatchObject({ status: 403 })
})

test('a name is taken in any letters, and 409 names its role', async () => {
  const role = await makeRole({ name: 'Night shift' })
  const other = await makeRole()

  const second = await service.send('POST /roles', {
    name: 'NIGHT SHIFT',
    permissions: { allow: ['buyers.read'] },
  })

  expect(second.statusCode).toBe(409)
  expect(second.json()).toMatchObject({ resource_id: role.id, details: [{ pointer: '/name' }] })
  expect(await refusal(`PUT /roles/${other.id}`, { name: 'Night Shift' })).toMatchObject({ status: 409 })
})

test.each([
  [
    { permissions: { allow: ['transaction.read'] } },
    '/permissions/allow/0',
    'did you mean transactions.read?',
  ],
  [{ permissions: { allow: ['embed'] } }, '/permissions/allow/0', 'use the scope of an operation'],
  [{ permissions: { allow: ['*'] } }, '/permissions/allow/0', 'use the scope of an operation'],
  [{ permissions: { allow: [] } }, '/permissions/allow', ''],
  [{ permissions: { allow: ['buyers.read', 'buyers.read'] } }, '/permissions/allow', ''],
  [{ permissions: { deny: ['buyers.read'] } }, '/permissions/allow', ''],
  [{ name: '' }, '/name', ''],
  [{ name: 'x'.repeat(101) }, '/name', ''],
  [{ description: 'x'.repeat(501) }, '/description', ''],
  [{ assignable_to: [] }, '/assignable_to', ''],
  [{ assignable_to: ['robot'] }, '/assignable_to/0', ''],
  [{ slug: 'administrator' }, '/slug', ''],
])('refuses %o, and names the field', async (body, pointer, message) => {
  const permissions = { allow: ['buyers.read'] }
  const response = await service.send('POST /roles', { name: 'Refused', permissions, ...body })

  expect(response.statusCode).toBe(400)
  const detail = response.json().details.find((one: { pointer: string }) => one.pointer === pointer)
  expect(detail?.message, response.body).toContain(message)
})

test('a deleted role is no longer found, and a second delete answers 404', async () => {
  const role = await makeRole()
  await service.send(`DELETE /roles/${role.id}`)

  expect((await service.send(`DELETE /roles/${role.id}`)).statusCode).toBe(404)
  expect((await service.send(`PUT /roles/${role.id}`, { name: 'Back' })).statusCode).toBe(404)
})

test('a role that is granted and deleted at once is either held or gone', async () => {
  const role = await makeRole()
  const body = { display_name: 'Racing', role_ids: [role.id] }

  const [granted, deleted] = await Promise.all([
    service.send('POST /api-key-pairs', body),
    service.send(`DELETE /roles/${role.id}`),
  ])

  expect([
    [201, 409],
    [400, 204],
  ]).toContainEqual([granted.statusCode, deleted.statusCode])
})

test('there can be a hundred roles of your own', async () => {
  const own = await startTestService()
  try {
    const permissions = { allow: ['buyers.read'] }
    for (let number = 1; number <= 100; number += 1) {
      const response = await own.send('POST /roles', { name: `Role ${number}`, permissions })
      expect(response.statusCode).toBe(201)
    }

    const beyond = await own.send('POST /roles', { name: 'One more', permissions })

    expect(beyond.statusCode).toBe(400)
    expect(beyond.json().details[0].message).toContain('delete a role first')
  } finally {
    await own.close()
  }
})
