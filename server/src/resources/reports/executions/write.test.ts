import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from '#platform/file-storage/disk.ts'
import { s3Storage } from '#platform/file-storage/s3.ts'
import { type FileStorage, StorageError } from '#platform/file-storage/storage.ts'
import { LeaseLost } from '#platform/queue/queue.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openReports } from '#testing/reports.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { openTill, type Till } from '#testing/till.ts'
import type { Reading } from '../models/model.ts'
import { REPORT_MODELS } from '../models/models.ts'

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

describe('merchant accounts take turns', () => {
  test('a long queue of one account does not delay the file of another', async () => {
    for (const id of ['many', 'few']) await service.send('POST /merchant-accounts', { id, display_name: id })
    const create = async (account: string) => (await reports.create(ONCE, { account })).id
    const many = [await create('many'), await create('many'), await create('many'), await create('many')]
    const few = [await create('few'), await create('few')]
    const order: string[] = []
    const storage = storageThat(async (key, chunks) => {
      const { report_id } = await service.context.db
        .selectFrom('report_executions')
        .select('report_id')
        .where('id', '=', key.slice(0, 36))
        .executeTakeFirstOrThrow()
      order.push(report_id)
      // The turns are taken by the time of the last file.
      service.moveClock(10)
      return service.reportFiles.put(key, chunks)
    })

    await reports.write({ storage })

    expect(order).toEqual([few[0], many[0], few[1], many[1], many[2], many[3]])
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

  test('leaves unfinished files, which the next one removes', async () => {
    const report = await reports.create(ONCE)
    const { id } = await rowOf(report.id)
    const folder = service.reportFiles.spoolFolder
    const left = [`${id}-1.csv.x.part`, `${id}-1.csv.sorted.part`]
    for (const name of left) writeFileSync(join(folder, name), 'half')
    await sql`update report_executions set fence = 1, tries = 1 where id = ${id}`.execute(service.context.db)

    await reports.write()

    expect(readdirSync(folder).filter((name) => name.startsWith(id))).toEqual([`${id}-2.csv`])
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

describe('a report whose lines come late', () => {
  const SORTED = { model: 'transactions', params: { fields: ['id'], sort: [{ field: 'amount' }] } }
  const SUMMARY = { model: 'ai_insights', params: {} }

  /** Something happens when the worker asks for its storage, before it reads. */
  function storageAfter(happens: () => Promise<void>): FileStorage {
    const place = async () => {
      await happens()
      return service.reportFiles.place()
    }
    return { ...service.reportFiles, place, put: (_key, chunks) => firstOf(chunks) }
  }

  /** Wants all lines but the heading, and says that they never came. */
  async function firstOf(chunks: AsyncIterable<Buffer>): Promise<never> {
    let lines = 0
    for await (const _chunk of chunks) lines += 1
    throw new Error(`${lines} pages were read`)
  }

  test.each([
    ['sorted', SORTED],
    ['a summary', SUMMARY],
  ])('ends with its process: %s', async (_what, spec) => {
    const report = await reports.create({ ...ONCE, spec })
    const stopping = new AbortController()
    const storage = storageAfter(async () => stopping.abort())

    await reports.write({ storage, stopping: stopping.signal })

    expect(await rowOf(report.id)).toMatchObject({ status: 'pending', tries: 0, failure_reason: null })
    await reports.write()
  })

  test.each([
    ['sorted', SORTED],
    ['a summary', SUMMARY],
  ])('ends once another worker has taken over: %s', async (_what, spec) => {
    const report = await reports.create({ ...ONCE, spec })
    const isLost = new LeaseLost()
    const check = () => {
      throw isLost
    }
    const model = REPORT_MODELS[spec.model as keyof typeof REPORT_MODELS]
    const { id, ranges, reference_timestamp, reference_timezone } = await rowOf(report.id)
    const reading: Reading = {
      db: service.context.db,
      pool: service.database.pool,
      report: { merchant_account_id: 'default', schedule: 'once', params: spec.params },
      context: { reference_timestamp, reference_timezone },
      ranges,
      until: service.context.clock(),
      check,
      spool: { folder: service.reportFiles.spoolFolder, name: id, check: async () => check() },
    }
    const readAll = async () => {
      for await (const _page of model.read(reading));
    }

    await expect(readAll()).rejects.toBe(isLost)

    await reports.write()
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

  // A sandbox shows a failed execution this way: see docs/guide/reports.md.
  test('and a bucket where nobody answers makes the execution fail, too', async () => {
    const bucket = s3Storage({
      url: 'http://127.0.0.1:9/nobody',
      accessKeyId: 'none',
      secretAccessKey: 'none',
      region: 'us-east-1',
      spoolFolder: tempFolder(),
      clock: service.context.clock,
    })
    const report = await reports.create(ONCE)

    for (let round = 0; round < 5; round += 1) {
      await reports.write({ storage: bucket })
      service.moveClock(HOUR_MS)
    }

    expect(await statusOf(report.id)).toBe('failed')
    const { failure_reason } = await rowOf(report.id)
    expect(failure_reason).toBe('The storage for report files cannot be reached.')
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
