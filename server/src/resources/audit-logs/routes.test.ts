import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '#platform/observability/metrics.ts'
import { REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { auditLogJobs } from './routes.ts'
import { Sealer } from './seal.ts'

describe('lists of entries', () => {
  let service: TestService
  let shopKey: Awaited<ReturnType<TestService['addKey']>>
  beforeAll(async () => {
    service = await startTestService()
    for (const id of ['shop', 'other'])
      await service.send('POST /merchant-accounts', { id, display_name: `The ${id}` })
    shopKey = await service.addKey({ merchantAccountIds: ['shop'] })
    await service.send(
      'PUT /merchant-accounts/shop',
      { display_name: 'Changed' },
      { token: await signToken(shopKey) },
    )
    await service.send(
      'POST /api-key-pairs',
      { display_name: 'Reader', role_ids: [REPORTING] },
      { headers: { 'x-request-id': 'trace-me' } },
    )
  })
  afterAll(() => service.close())

  type Entry = {
    action: string
    merchant_account_id: string | null
    resource: { type: string; id: string; name: string }
    user: { id: string; name: string }
  }
  const list = async (query = '', account = '*'): Promise<Entry[]> =>
    (await service.send(`GET /audit-logs${query}`, undefined, { account })).json().items

  test('lists who changed what, newest first', async () => {
    const [newest, before] = await list()

    expect(newest).toMatchObject({
      type: 'audit-log',
      action: 'created',
      merchant_account_id: null,
      resource: { type: 'api-key-pair', name: 'Reader' },
      user: {
        type: 'user',
        id: service.admin.id,
        name: 'Test key',
        email_address: null,
        is_staff: false,
        status: 'active',
      },
    })
    expect(before).toMatchObject({
      action: 'updated',
      merchant_account_id: 'shop',
      resource: { type: 'merchant-account', id: 'shop', name: 'Changed' },
      user: { id: shopKey.id },
    })
  })

  test('shows the request id, which leads to the log line', async () => {
    const row = await service.context.db
      .selectFrom('audit_logs')
      .select('resource_name')
      .where('request_id', '=', 'trace-me')
      .executeTakeFirst()

    expect(row?.resource_name).toBe('Reader')
  })

  test('filters by action, user and type of resource, alone and together', async () => {
    const updated = await list('?action=updated')
    const byShop = await list(`?user_id=${shopKey.id}`)
    const accounts = await list('?resource_type=merchant-account&action=created')

    expect(updated.map(({ resource }) => resource.id)).toEqual(['shop'])
    expect(byShop).toEqual(updated)
    expect(accounts.map(({ resource }) => resource.id)).toEqual(['other', 'shop'])
  })

  test.each([
    ['action=exploded', '/action', 'type_error.enum'],
    ['user_id=me', '/user_id', 'type_error.uuid'],
    [`resource_type=${'x'.repeat(201)}`, '/resource_type', 'value_error.any_str.max_length'],
  ])('refuses %s', async (query, pointer, type) => {
    const response = await service.send(`GET /audit-logs?${query}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer, type }])
  })

  test('an account’s list shows its own entries and, to a key for all accounts, those of the installation', async () => {
    const shop = await list('', 'shop')

    expect(new Set(shop.map((entry) => entry.merchant_account_id))).toEqual(new Set(['shop', null]))
  })

  test('a restricted key sees nothing of the installation or of others', async () => {
    const response = await service.send('GET /audit-logs?limit=100', undefined, {
      token: await signToken(shopKey),
      account: '*',
    })

    expect(response.json().items.map((entry: Entry) => entry.merchant_account_id)).toEqual(['shop', 'shop'])
  })

  test('a change that is refused leaves no entry', async () => {
    const before = (await list('?limit=100')).length
    await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Again' })

    expect((await list('?limit=100')).length).toBe(before)
  })
})

describe('jobs', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  test('metrics and log show the head, and metrics show that sealing is refused', async () => {
    const lines: string[] = []
    const metrics = createMetrics()
    const needs = {
      context: service.context,
      sealer: new Sealer(service.secrets, null),
      logger: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
      metrics,
    }
    const run = async (name: string, environment = 'production') =>
      auditLogJobs
        .find((job) => job.name === name)
        ?.run({ ...needs, environment }, new AbortController().signal)

    await run('seal-audit-logs')
    await run('tell-audit-head', 'sandbox')
    expect(lines).toEqual([])
    await run('tell-audit-head')
    const before = await metrics.render()
    await service.context.db.deleteFrom('audit_seals').execute()
    await expect(run('seal-audit-logs')).rejects.toThrow('is gone')
    const after = await metrics.render()

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ head: expect.stringMatching(/^1:[0-9a-f]{64}$/) })
    expect(before).toContain('switchyard_audit_head_position 1\n')
    expect(before).toContain('switchyard_audit_sealing_refused 0\n')
    expect(after).toContain('switchyard_audit_head_position 1\n')
    expect(after).toContain('switchyard_audit_sealing_refused 1\n')
  })
})
