import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../testing/harness.ts'

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
  ])
  expect(items[0]).toMatchObject({
    type: 'role',
    permissions: { allow: ['*.read', '*.write'] },
    is_standalone_assignable: true,
  })
  for (const { permissions, assignable_to } of items) {
    expect(assignable_to).toContain('api-key-pair')
    for (const permission of permissions.allow) expect(permission).toMatch(/^([a-z.-]+|\*)[.](read|write)$/)
  }
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
