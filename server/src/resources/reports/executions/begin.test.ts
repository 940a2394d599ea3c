import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openReports } from '#testing/reports.ts'

const DAY_MS = 86_400_000

let service: TestService
let reports: ReturnType<typeof openReports>

beforeAll(async () => {
  service = await startTestService()
  reports = openReports(service)
})
afterAll(() => service.close())

const filters = { created_at: { start: 'day_start', end: 'day_end' } }
const YESTERDAY = { spec: { model: 'transactions', params: { fields: ['id'], filters } } }

/** Moves the clock past a time. */
function passTime(text: string, moreMs = 0): void {
  service.moveClock(Date.parse(text) + moreMs - service.context.clock().getTime())
}

async function rangesOf(id: string): Promise<unknown> {
  const { ranges } = await service.context.db
    .selectFrom('report_executions')
    .select('ranges')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return ranges
}

test('a day that is over gets one execution, however many processes notice it', async () => {
  const report = await reports.create(YESTERDAY)
  passTime(report.next_execution_at)

  await Promise.all([reports.begin(), reports.begin(), reports.begin()])

  const executions = await reports.executionsOf(report.id)
  expect(executions).toHaveLength(1)
  expect(executions[0]).toMatchObject({
    status: 'pending',
    context: { reference_timestamp: report.next_execution_at, reference_timezone: 'Etc/UTC' },
  })
  const start = Date.parse(report.next_execution_at) - DAY_MS
  expect(await rangesOf(executions[0].id)).toEqual({
    created_at: {
      start: new Date(start).toISOString(),
      end: new Date(start + DAY_MS - 1).toISOString(),
    },
  })
  const after = await reports.get(report.id)
  expect(Date.parse(after.next_execution_at)).toBe(Date.parse(report.next_execution_at) + DAY_MS)
  expect(after.updated_at).toBe(report.updated_at)
})

test('the file is begun a little after the day, so that its last payments are committed', async () => {
  const report = await reports.create(YESTERDAY)
  passTime(report.next_execution_at, 1_000)
  await reports.begin()

  await reports.write()
  const early = (await reports.get(report.id)).latest_execution.status
  service.moveClock(30_000)
  await reports.write()

  expect(early).toBe('pending')
  expect((await reports.get(report.id)).latest_execution.status).toBe('succeeded')
})

test('runs that were missed are made up for once, with the last of them', async () => {
  const report = await reports.create(YESTERDAY)
  const missed = Date.parse(report.next_execution_at)
  passTime(report.next_execution_at, 3 * DAY_MS + 3_600_000)

  await reports.begin()
  await reports.begin()

  const executions = await reports.executionsOf(report.id)
  expect(executions.map(({ context }) => context.reference_timestamp)).toEqual([
    new Date(missed + 3 * DAY_MS).toISOString(),
  ])
  const { next_execution_at } = await reports.get(report.id)
  expect(next_execution_at).toBe(new Date(missed + 4 * DAY_MS).toISOString())
})

test('a report whose schedule is not enabled waits; once it is, it goes on with its next time', async () => {
  const report = await reports.create(YESTERDAY)
  await reports.send(`PUT /reports/${report.id}`, { schedule_enabled: false })
  passTime(report.next_execution_at, DAY_MS)

  await reports.begin()
  const meanwhile = await reports.get(report.id)
  const enabled = (await reports.send(`PUT /reports/${report.id}`, { schedule_enabled: true })).json()
  await reports.begin()

  expect(meanwhile.next_execution_at).toBe(report.next_execution_at)
  expect(Date.parse(enabled.next_execution_at)).toBe(Date.parse(report.next_execution_at) + 2 * DAY_MS)
  expect(await reports.executionsOf(report.id)).toEqual([])
})

test('a report that cannot be begun holds up no other', async () => {
  const broken = await reports.create(YESTERDAY)
  const sound = await reports.create(YESTERDAY)
  await sql`update reports set schedule_timezone = 'Mars/Olympus' where id = ${broken.id}`.execute(
    service.context.db,
  )
  passTime(sound.next_execution_at)

  await expect(reports.begin()).rejects.toThrow('Mars/Olympus')

  expect(await reports.executionsOf(broken.id)).toEqual([])
  expect(await reports.executionsOf(sound.id)).toHaveLength(1)
})
