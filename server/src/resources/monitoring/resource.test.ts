import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstIdOf } from '#domain/ids.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type Monitor, openMonitor } from '#testing/monitor.ts'
import { advance } from '#testing/sandbox-clock.ts'
import { openTill, type Till } from '#testing/till.ts'
import { purgeIncidents, purgeSamples } from './resource.ts'

describe('jobs', () => {
  const DECLINED = 200_011

  let service: TestService
  let monitor: Monitor
  let till: Till
  beforeAll(async () => {
    service = await startTestService({ hasSandboxClock: true })
    monitor = openMonitor(service)
    till = openTill(service)
  })
  afterAll(() => service.close())

  test('a clock that is moved takes the samples on its way, and opens and closes incidents at their time', async () => {
    const policy = { incident_policy: { params: { create_after_n: 3, close_after_n: 2 } } }
    const { id } = await monitor.add({ datetime_range: 'PT10M/now' }, policy)
    await till.pay({ amount: DECLINED })
    const start = service.context.clock().getTime()

    await advance(service, { by: 'PT4M' })
    const [open] = await monitor.incidentsOf(id)
    for (let n = 0; n < 3; n += 1) await till.pay()
    await advance(service, { by: 'P3D' })
    const [closed, ...others] = await monitor.incidentsOf(id)
    const samples = await monitor.samplesOf(id)

    const minutes = (Date.parse(open.created_at) - start) / 60_000
    expect(open.closed_at).toBeNull()
    expect(minutes).toBeGreaterThan(2)
    expect(minutes).toBeLessThan(3.5)
    expect(Date.parse(closed.closed_at) - Date.parse(open.created_at)).toBeLessThan(5 * 60_000)
    expect(others).toEqual([])
    // Four minutes, then those in which the last payments count, and the minute at the end.
    expect(samples.length).toBeGreaterThan(12)
    expect(samples.length).toBeLessThan(20)
    expect(samples.at(-1)).toMatchObject({ value: null, healthy: null })
  })
})

describe('purging what is old', () => {
  const DAY_MS = 86_400_000
  const RUNNING = new AbortController().signal

  let service: TestService
  let metricId: string
  beforeAll(async () => {
    service = await startTestService()
    metricId = (await openMonitor(service).add()).id
  })
  afterAll(() => service.close())

  const needs = () => ({ context: service.context, incidentRetentionDays: 365 })
  const nextPurgeAt = async () => purgeSamples.nextDueAt?.(needs())
  const daysAgo = (days: number) => new Date(service.context.clock().getTime() - days * DAY_MS)

  test('samples are kept for 30 days', async () => {
    const nothing = await nextPurgeAt()
    await sql`
    insert into monitoring_samples (metric_id, minute, authorized, decided, healthy, incident_related)
    select ${metricId}, date_trunc('minute', ${daysAgo(31)}::timestamptz) + make_interval(mins => n), 1, 1, true, false
    from generate_series(1, 3000) as n
  `.execute(service.context.db)

    const due = await nextPurgeAt()
    await purgeSamples.run(needs(), RUNNING)
    const next = await nextPurgeAt()

    const left = await sql<{ oldest: Date; count: number }>`
    select min(minute) as oldest, count(*)::int as count from monitoring_samples
  `.execute(service.context.db)
    const [{ oldest, count }] = left.rows as [{ oldest: Date; count: number }]
    expect(oldest.getTime()).toBeGreaterThanOrEqual(daysAgo(30).getTime() - 1_000)
    expect(nothing).toBeNull()
    expect(due?.getTime()).toBeLessThanOrEqual(service.context.clock().getTime() + 60_000)
    expect(next?.getTime()).toBe(oldest.getTime() + 31 * DAY_MS)
    expect(count).toBeGreaterThan(3_000 - 1_442)
    expect(count).toBeLessThan(3_000 - 1_437)
  })

  test('incidents are kept for some days after they were closed, open ones for good', async () => {
    const at = (days: number) => daysAgo(days).toISOString()
    const add = (name: string, opened: number, closed: number | null) =>
      sql`
      insert into monitoring_incidents
        (id, merchant_account_id, metric_id, display_name, spec, alerting_policy, incident_policy, created_at, updated_at, closed_at)
      values (${firstIdOf(daysAgo(opened))}, 'default', ${closed === null ? metricId : null}, ${name}, '{}', '{}', '{}',
        ${at(opened)}, ${at(opened)}, ${closed === null ? null : at(closed)})
    `.execute(service.context.db)
    await add('open', 500, null)
    await add('closed long ago', 400, 366)
    await add('closed just in time', 401, 364)
    await add('recent', 2, 1)

    await purgeIncidents.run(needs(), RUNNING)

    const { items } = (await service.send('GET /monitoring/incidents')).json()
    expect(items.map(({ display_name }: { display_name: string }) => display_name)).toEqual([
      'recent',
      'closed just in time',
      'open',
    ])
  })

  test('nothing is removed once the process stops', async () => {
    await sql`
    insert into monitoring_samples (metric_id, minute, authorized, decided, healthy, incident_related)
    values (${metricId}, date_trunc('minute', ${daysAgo(40)}::timestamptz), 0, 0, null, false)
  `.execute(service.context.db)

    await purgeSamples.run(needs(), AbortSignal.abort())

    const left = await sql`select from monitoring_samples where minute < ${daysAgo(35)}`.execute(
      service.context.db,
    )
    expect(left.rows).toHaveLength(1)
  })
})
