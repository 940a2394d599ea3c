import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from '#platform/file-storage/disk.ts'
import { type FileStorage, StorageError } from '#platform/file-storage/storage.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openReports } from '#testing/reports.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let reports: ReturnType<typeof openReports>
let till: Till

beforeAll(async () => {
  service = await startTestService()
  reports = openReports(service)
  till = openTill(service)
  await till.pay()
})
afterAll(() => service.close())

const ONCE = { schedule: 'once', schedule_enabled: false }
const HOUR_MS = 3_600_000

async function statusOf(reportId: string): Promise<string> {
  return (await reports.get(reportId)).latest_execution.status
}

async function rowOf(reportId: string) {
  return service.context.db
    .selectFrom('report_executions')
    .selectAll()
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow()
}

/** Ends every lease: as if the worker had died a while ago. */
async function endLeases(): Promise<void> {
  await sql`update report_executions set leased_until = now() - interval '1 second'`.execute(
    service.context.db,
  )
}

/** The storage of the service, but writing fails, or does something first. */
function storageThat(put: FileStorage['put']): FileStorage {
  return { ...service.reportFiles, put }
}

describe('a file', () => {
  test('is written whole, and told of in the same commit', async () => {
    const payment = await till.pay({ amount: 4711 })
    const report = await reports.create(ONCE)

    await reports.write()

    const row = await rowOf(report.id)
    const [execution] = await reports.executionsOf(report.id)
    const { url } = await reports.urlOf(report.id, execution.id)
    const { body } = await reports.download(url)
    expect(execution.status).toBe('succeeded')
    expect(body).toMatch(/^id,amount\r\n/)
    expect(body).toContain(`\r\n${payment.id},4711\r\n`)
    expect(row).toMatchObject({
      file_size: String(Buffer.byteLength(body)),
      row_count: String(body.trim().split('\r\n').length - 1),
      tries: 1,
      due_at: null,
      leased_until: null,
    })
    expect(await till.told(execution.id)).toEqual(['report-execution.succeeded'])
    const event = await sql<{ target: unknown }>`
      select target from events where target_id = ${execution.id}`.execute(service.context.db)
    expect(event.rows[0]?.target).toEqual({
      ...execution,
      row_count: Number(row.row_count),
      file_size: Number(row.file_size),
      failure_reason: null,
    })
  })

  test('is written once, however many workers there are', async () => {
    const created = []
    for (let index = 0; index < 5; index += 1) created.push(await reports.create(ONCE))
    const written: string[] = []
    const storage = storageThat((key, chunks) => {
      written.push(key)
      return service.reportFiles.put(key, chunks)
    })

    await Promise.all(Array.from({ length: 4 }, () => reports.write({ storage })))

    expect(written).toHaveLength(5)
    expect(new Set(written).size).toBe(5)
    for (const { id } of created) expect(await statusOf(id)).toBe('succeeded')
  })
})

describe('a worker that dies', () => {
  test('is followed by another one, once its lease is over', async () => {
    const report = await reports.create(ONCE)
    const dying = storageThat(() => new Promise(() => {}))
    void reports.write({ storage: dying })
    await expect.poll(() => statusOf(report.id)).toBe('processing')

    await reports.write()
    const during = await statusOf(report.id)
    await endLeases()
    await reports.write()

    expect(during).toBe('processing')
    expect(await statusOf(report.id)).toBe('succeeded')
    expect((await rowOf(report.id)).tries).toBe(2)
  })

  test('and was only slow changes nothing any more, and leaves no file', async () => {
    const report = await reports.create(ONCE)
    let goOn = () => {}
    const waits = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const slow = storageThat(async (key, chunks) => {
      await waits
      return service.reportFiles.put(key, chunks)
    })
    const slowWorker = reports.write({ storage: slow })
    await expect.poll(() => statusOf(report.id)).toBe('processing')
    await endLeases()
    await reports.write()
    const before = await rowOf(report.id)

    goOn()
    await slowWorker

    expect(await rowOf(report.id)).toEqual(before)
    expect(before.file_key).toBe(`${before.id}-2.csv`)
    const files = readdirSync(service.reportFiles.spoolFolder).filter((name) => name.startsWith(before.id))
    expect(files).toEqual([before.file_key])
    expect(await till.told(before.id)).toEqual(['report-execution.succeeded'])
  })

  test('again and again fails the execution', async () => {
    const report = await reports.create(ONCE)
    await sql`update report_executions set tries = 5 where report_id = ${report.id}`.execute(
      service.context.db,
    )

    await reports.write()

    expect(await statusOf(report.id)).toBe('failed')
    expect((await rowOf(report.id)).failure_reason).toMatch(/ended before it was whole/)
  })

  test('a process that ends gives its work back, and it is no failure', async () => {
    const report = await reports.create(ONCE)
    const stopping = new AbortController()
    const storage = storageThat((key, chunks) => {
      stopping.abort()
      return service.reportFiles.put(key, chunks)
    })

    await reports.write({ storage, stopping: stopping.signal })
    const given = await rowOf(report.id)
    await reports.write()

    expect(given).toMatchObject({ status: 'pending', tries: 0, leased_until: null, file_key: null })
    expect(await statusOf(report.id)).toBe('succeeded')
  })
})

describe('a storage that fails', () => {
  /** Takes the first lines, then has no room. */
  function fullDisk(folder: string): FileStorage {
    const disk = diskStorage({ folder, linkTo: () => '' })
    return {
      ...disk,
      put: (key, chunks) =>
        disk.put(
          key,
          (async function* () {
            for await (const chunk of chunks) {
              yield chunk
              throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
            }
          })(),
        ),
    }
  }

  test('is tried again a few times; then the execution has failed, with the reason', async () => {
    const folder = tempFolder()
    const report = await reports.create(ONCE)
    const seen: string[] = []

    for (let round = 0; round < 5; round += 1) {
      await reports.write({ storage: fullDisk(folder) })
      seen.push(await statusOf(report.id))
      service.moveClock(HOUR_MS)
    }

    expect(seen).toEqual(['pending', 'pending', 'pending', 'pending', 'failed'])
    const row = await rowOf(report.id)
    expect(row).toMatchObject({ failure_reason: 'The disk is full.', file_key: null, due_at: null, tries: 5 })
    // No half file is left, under any name.
    expect(readdirSync(folder).filter((name) => name !== 'folder-name')).toEqual([])
    expect(await till.told(row.id)).toEqual(['report-execution.failed'])
    const url = await reports.send(`POST /reports/${report.id}/executions/${row.id}/url`)
    expect(url.statusCode).toBe(404)
    expect(url.json().details[0].message).toContain('failed')
  })

  test('and works again is no failure', async () => {
    const report = await reports.create(ONCE)
    const away = storageThat(() =>
      Promise.reject(new StorageError('The storage for report files cannot be reached.')),
    )

    await reports.write({ storage: away })
    const postponed = await rowOf(report.id)
    await reports.write()
    const soon = await statusOf(report.id)
    service.moveClock(HOUR_MS)
    await reports.write()

    expect(postponed).toMatchObject({ status: 'pending', tries: 1 })
    expect(soon).toBe('pending')
    expect(await statusOf(report.id)).toBe('succeeded')
  })

  test('a reason that is no sentence of ours stays in the log', async () => {
    const report = await reports.create(ONCE)
    const broken = storageThat(() => Promise.reject(new Error('secret-access-key')))

    await reports.write({ storage: broken })

    expect((await rowOf(report.id)).failure_reason).toBe(
      'The file could not be written. The log of the service says why.',
    )
  })
})
