import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'

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
  expect(reporting.description).toContain('may have payment services asked for outcomes that are open (sync)')
  expect(
    manager.permissions.allow.some((permission: string) =>
      /^(transactions|payouts|gift-cards)[.]write/.test(permission),
    ),
  ).toBe(false)
})
