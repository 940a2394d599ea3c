import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SendOptions, startTestService, type TestService } from '#testing/harness.ts'
import { DAILY, openReports } from '#testing/reports.ts'
import { openTill, type Till } from '#testing/till.ts'
import { OPEN_MAX, SCHEDULED_MAX } from './routes.ts'

let service: TestService
let reports: ReturnType<typeof openReports>
let till: Till

beforeAll(async () => {
  service = await startTestService()
  reports = openReports(service)
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'another-shop', display_name: 'Another shop' })
})
afterAll(() => service.close())

const ONCE = { schedule: 'once', schedule_enabled: false }

async function refusal(body: object): Promise<Record<string, string>> {
  const response = await service.send('POST /reports', { ...DAILY, ...body })
  expect(response.statusCode, response.body).toBe(400)
  const { details } = response.json()
  return Object.fromEntries(details.map(({ pointer, message }: Record<string, string>) => [pointer, message]))
}

describe('creating a report', () => {
  test('a daily report waits for the next day in its zone, and has no execution yet', async () => {
    const report = await reports.create({ schedule_timezone: 'Asia/Tokyo', description: 'For accounting' })

    await reports.begin()
    await reports.write()

    const { id, created_at, updated_at, next_execution_at, ...rest } = await reports.get(report.id)
    expect(rest).toEqual({
      type: 'report',
      merchant_account_id: 'default',
      name: 'Payments',
      description: 'For accounting',
      creator_id: service.admin.id,
      creator_display_name: expect.any(String),
      creator_type: 'private_key',
      schedule: 'daily',
      schedule_enabled: true,
      schedule_timezone: 'Asia/Tokyo',
      spec: DAILY.spec,
      latest_execution: null,
    })
    // Midnight in Tokyo.
    expect(next_execution_at).toMatch(/T15:00:00[.]000Z$/)
    expect(Date.parse(next_execution_at)).toBeGreaterThan(Date.parse(created_at))
    expect(updated_at).toBe(created_at)
    expect(await reports.executionsOf(report.id)).toEqual([])
    expect(await till.audited(id)).toEqual([`created by ${rest.creator_display_name}`])
  })

  test('a report that runs once has an execution at once, and no next time', async () => {
    const report = await reports.create(ONCE)

    expect(report.next_execution_at).toBeNull()
    expect(report.schedule_timezone).toBe('Etc/UTC')
    expect(report.latest_execution).toMatchObject({
      type: 'report-execution',
      status: 'pending',
      context: { reference_timestamp: report.created_at, reference_timezone: 'Etc/UTC' },
    })
    const [execution] = await reports.executionsOf(report.id)
    expect(execution).toEqual({
      ...report.latest_execution,
      report: {
        type: 'report',
        id: report.id,
        merchant_account_id: 'default',
        name: 'Payments',
        creator_id: report.creator_id,
        creator_display_name: report.creator_display_name,
        creator_type: 'private_key',
      },
    })
    expect(await reports.ask(`/report-executions/${execution.id}`)).toEqual(execution)
  })

  test('a repeated request with the same key makes one report', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const first = await reports.create(ONCE, { headers })
    const second = await reports.create(ONCE, { headers })

    expect(second).toEqual(first)
    expect(await reports.executionsOf(first.id)).toHaveLength(1)
  })
})

describe('refuses', () => {
  const filters = (given: object) => ({ spec: { model: 'transactions', params: { filters: given } } })
  const model = (name: string, params: object) => ({ spec: { model: name, params } })

  test.each([
    ['a zone that does not exist', { schedule_timezone: 'Europe/Atlantis' }, '/schedule_timezone'],
    ['an offset for a zone', { schedule_timezone: '+01:00' }, '/schedule_timezone'],
    ['a schedule that does not exist', { schedule: 'hourly' }, '/schedule'],
    ['a schedule for what runs once', { schedule: 'once', schedule_enabled: true }, '/schedule_enabled'],
    ['a spec without a model', { spec: { params: {} } }, '/spec/model'],
    ['an unknown model', model('payouts', {}), '/spec/model'],
    ['a spec without parameters', { spec: { model: 'transactions' } }, '/spec/params'],
    ['an unknown parameter', model('transactions', { columns: [] }), '/spec/params/columns'],
    [
      'a field that is not of the model',
      model('transactions', { fields: ['number'] }),
      '/spec/params/fields/0',
    ],
    ['no fields', model('transactions', { fields: [] }), '/spec/params/fields'],
    ['a field twice', model('transactions', { fields: ['id', 'id'] }), '/spec/params/fields/1'],
    ['fields of a model without', model('transaction_retries', { fields: ['id'] }), '/spec/params/fields'],
    [
      'an unknown order',
      model('transactions', { sort: [{ field: 'id', order: 'up' }] }),
      '/spec/params/sort/0/order',
    ],
    [
      'a sort without a field',
      model('transactions', { sort: [{ order: 'asc' }] }),
      '/spec/params/sort/0/field',
    ],
    [
      'a filter of another model',
      filters({ ingested_at: { start: 'day_start' } }),
      '/spec/params/filters/ingested_at',
    ],
    [
      'a foreign filter',
      model('ai_insights', { filters: { status: ['processing'] } }),
      '/spec/params/filters/status',
    ],
    [
      'a filter of payments for settlements',
      model('detailed_settlement', { filters: { created_at: { start: 'day_start' } } }),
      '/spec/params/filters/created_at',
    ],
    [
      'a filter of settlements for what is owed',
      model('accounts_receivables', { filters: { ingested_at: { start: 'day_start' } } }),
      '/spec/params/filters/ingested_at',
    ],
    [
      'an unknown prompt',
      model('ai_insights', { filters: { prompt_key: 'poem' } }),
      '/spec/params/filters/prompt_key',
    ],
    ['an unknown status', filters({ status: ['paid'] }), '/spec/params/filters/status/0'],
    ['no status', filters({ status: [] }), '/spec/params/filters/status'],
    ['an unknown currency', filters({ currency: ['USX'] }), '/spec/params/filters/currency/0'],
    [
      'metadata that is no text',
      filters({ metadata: { order: 4711 } }),
      '/spec/params/filters/metadata/order',
    ],
    ['a range without start and end', filters({ created_at: {} }), '/spec/params/filters/created_at'],
    [
      'a range of nulls',
      filters({ created_at: { start: null, end: null } }),
      '/spec/params/filters/created_at',
    ],
    [
      'an unknown placeholder',
      filters({ created_at: { start: 'year_start' } }),
      '/spec/params/filters/created_at/start',
    ],
    [
      'a day that does not exist',
      filters({ created_at: { end: '2026-02-30T00:00' } }),
      '/spec/params/filters/created_at/end',
    ],
    ...['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2100-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(
      (start): [string, object, string] => [
        `the year of ${start}`,
        filters({ created_at: { start } }),
        '/spec/params/filters/created_at/start',
      ],
    ),
    ['a spec of more than 16 kB', filters({ metadata: { order: 'x'.repeat(17_000) } }), '/spec'],
    [
      'an end before the start',
      filters({ created_at: { start: '2026-11-02T00:00:00Z', end: '2026-11-01T00:00:00Z' } }),
      '/spec/params/filters/created_at/end',
    ],
    [
      'placeholders the wrong way around',
      filters({ created_at: { start: 'day_end', end: 'day_start' } }),
      '/spec/params/filters/created_at/end',
    ],
    ['an empty name', { name: '' }, '/name'],
    ['a long name', { name: 'x'.repeat(101) }, '/name'],
    ['an unknown field', { recipients: [] }, '/recipients'],
  ])('%s', async (_name, body, pointer) => {
    const complaints = await refusal(body)

    expect(Object.keys(complaints)).toEqual([pointer])
    expect(complaints[pointer]).toMatch(/\w/)
  })

  test('and leaves nothing behind', async () => {
    const before = await reports.ask('/reports?limit=100')

    await refusal({ schedule: 'once', schedule_enabled: true, schedule_timezone: 'Mars/Olympus' })

    expect(await reports.ask('/reports?limit=100')).toEqual(before)
  })
})

describe('limits of a merchant account', () => {
  const options = { account: 'busy' }
  const insertReports = (count: number) =>
    sql`
      insert into reports (id, merchant_account_id, name, schedule, schedule_enabled, schedule_timezone, model, params,
        next_execution_at, created_at, updated_at)
      select gen_random_uuid(), 'busy', 'Report', 'daily', true, 'Etc/UTC', 'transactions', '{}', now(), now(), now()
      from generate_series(1, ${count}::int)
    `.execute(service.context.db)
  beforeAll(() => service.send('POST /merchant-accounts', { id: 'busy', display_name: 'Busy' }))

  test(`${SCHEDULED_MAX} reports may run by their schedule`, async () => {
    const first = await reports.create({}, options)
    const paused = await reports.create({ schedule_enabled: false }, options)
    await insertReports(SCHEDULED_MAX - 1)

    const refused = [
      await reports.send('POST /reports', DAILY, options),
      await reports.send(`PUT /reports/${paused.id}`, { schedule_enabled: true }, options),
    ]
    const renamed = await reports.send(`PUT /reports/${first.id}`, { name: 'Other' }, options)
    const unscheduled = await reports.send('POST /reports', { ...DAILY, schedule_enabled: false }, options)

    for (const response of refused) {
      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([
        { pointer: '/schedule_enabled', message: expect.stringContaining('disable one first') },
      ])
    }
    expect([renamed.statusCode, unscheduled.statusCode]).toEqual([200, 201])
  })

  test(`${OPEN_MAX} files may wait`, async () => {
    const once = { ...DAILY, schedule: 'once', schedule_enabled: false }
    const report = await reports.create(once, options)
    await sql`
      insert into report_executions (id, merchant_account_id, report_id, status, reference_timestamp, reference_timezone,
        ranges, due_at, created_at, updated_at)
      select gen_random_uuid(), 'busy', ${report.id}, 'pending', now() - n * interval '1 day', 'Etc/UTC', '{}', now(), now(), now()
      from generate_series(1, ${OPEN_MAX - 1}::int) as n
    `.execute(service.context.db)

    const refused = await reports.send('POST /reports', once, options)
    const other = await reports.send('POST /reports', once)

    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.json().details[0].message).toContain('wait for their file')
    expect(other.statusCode).toBe(201)
  })
})

describe('updating a report', () => {
  const put = (id: string, body: object, options?: SendOptions) =>
    service.send(`PUT /reports/${id}`, body, options)

  test('changes name, description and whether it runs; nothing else', async () => {
    const report = await reports.create({ description: 'Old' })

    const renamed = await put(report.id, { name: 'New', schedule_enabled: false })
    const emptied = await put(report.id, { description: null, name: null, schedule_enabled: null })
    const moved = await put(report.id, { schedule: 'weekly' })

    expect(renamed.json()).toEqual({
      ...report,
      name: 'New',
      schedule_enabled: false,
      updated_at: renamed.json().updated_at,
    })
    expect(emptied.json()).toMatchObject({ name: 'New', description: null, schedule_enabled: false })
    expect(moved.statusCode).toBe(400)
    expect(moved.json().details[0].pointer).toBe('/schedule')
    expect(await till.audited(report.id)).toHaveLength(3)
  })

  test('a report that runs once has no schedule to enable', async () => {
    const report = await reports.create(ONCE)

    const response = await put(report.id, { schedule_enabled: true })

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].pointer).toBe('/schedule_enabled')
  })
})

describe('another merchant account', () => {
  test('sees neither the report nor its executions', async () => {
    const report = await reports.create(ONCE)
    const [execution] = await reports.executionsOf(report.id)
    const elsewhere = { account: 'another-shop' }

    const answers = [
      await service.send(`GET /reports/${report.id}`, undefined, elsewhere),
      await service.send(`PUT /reports/${report.id}`, { name: 'Mine' }, elsewhere),
      await service.send(`GET /reports/${report.id}/executions`, undefined, elsewhere),
      await service.send(`GET /report-executions/${execution.id}`, undefined, elsewhere),
      await service.send(`POST /reports/${report.id}/executions/${execution.id}/url`, undefined, elsewhere),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
    expect((await service.send('GET /reports', undefined, elsewhere)).json().items).toEqual([])
    expect((await service.send('GET /report-executions', undefined, elsewhere)).json().items).toEqual([])
  })
})

describe('listing', () => {
  const names = async (path: string) =>
    (await reports.ask(path)).items.map(({ name }: { name: string }) => name)

  test('reports by schedule, whether they run, and a part of the name', async () => {
    await reports.create({ name: 'List: Weekly 100%', schedule: 'weekly' })
    await reports.create({ name: 'List: monthly', schedule: 'monthly', schedule_enabled: false })
    await reports.create({ name: 'List: daily' })

    expect(await names('/reports?name=list%3A')).toEqual([
      'List: daily',
      'List: monthly',
      'List: Weekly 100%',
    ])
    expect(await names('/reports?name=LIST&schedule=weekly&schedule=monthly')).toEqual([
      'List: monthly',
      'List: Weekly 100%',
    ])
    expect(await names('/reports?name=list%3A&schedule_enabled=false')).toEqual(['List: monthly'])
    expect(await names('/reports?name=100%25')).toEqual(['List: Weekly 100%'])
    const first = await reports.ask('/reports?name=list%3A&limit=2')
    expect(await names(`/reports?name=list%3A&limit=2&cursor=${first.next_cursor}`)).toEqual([
      'List: Weekly 100%',
    ])
  })

  test('executions by report, status, time and creator', async () => {
    const report = await reports.create({ ...ONCE, name: 'Seek: me' })
    const other = await reports.create({ ...ONCE, name: 'Seek: them' })
    const idsOf = async (query: string) =>
      (await reports.ask(`/report-executions?report_name=seek%3A&${query}`)).items.map(
        ({ report: { id } }: { report: { id: string } }) => id,
      )
    const at = encodeURIComponent(other.created_at)

    expect(await idsOf('')).toEqual([other.id, report.id])
    expect(await idsOf('status=succeeded')).toEqual([])
    expect(await idsOf('status=succeeded&status=pending&limit=1')).toEqual([other.id])
    expect(await idsOf(`created_at_gte=${at}`)).toContain(other.id)
    expect(await idsOf('created_at_lte=2020-01-01T00%3A00%3A00Z')).toEqual([])
    expect(await idsOf(`creator_id=${report.creator_id}`)).toEqual([other.id, report.id])
    expect(await idsOf(`creator_id=${crypto.randomUUID()}`)).toEqual([])
    const all = await service.send('GET /report-executions', undefined, { account: '*' })
    expect(all.json().items[0].report.id).toBe(other.id)
  })
})
