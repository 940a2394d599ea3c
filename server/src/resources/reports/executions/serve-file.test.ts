import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { createLogger } from '#platform/observability/log.ts'
import { roleIdOf, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { DAILY, openReports } from '#testing/reports.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { openTill, type Till } from '#testing/till.ts'
import { serveReportFiles } from './serve-file.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let service: TestService
let reports: ReturnType<typeof openReports>
let till: Till

beforeAll(async () => {
  service = await startTestService()
  reports = openReports(service)
  till = openTill(service)
})
afterAll(() => service.close())

/** A report whose file is there: the ids of it and of its execution. */
async function written(body: object = {}) {
  const report = await reports.create({ schedule: 'once', schedule_enabled: false, ...body })
  await reports.write()
  const [execution] = await reports.executionsOf(report.id)
  return {
    reportId: report.id,
    executionId: execution.id,
    path: `/reports/${report.id}/executions/${execution.id}/url`,
  }
}

describe('a URL', () => {
  test('gives the file, without a token, as a download that nothing keeps', async () => {
    const { reportId, executionId } = await written({ name: 'Zahlungen "März" / €' })

    const { url, expires_at } = await reports.urlOf(reportId, executionId)
    const { statusCode, headers, body } = await reports.download(url)

    expect(url).toMatch(
      new RegExp(`^http://127.0.0.1:3000/report-files/${executionId}[?]until=\\d+&signature=[\\w-]{43}$`),
    )
    const minutes = (Date.parse(expires_at) - service.context.clock().getTime()) / MINUTE_MS
    expect(minutes).toBeGreaterThan(4.9)
    expect(minutes).toBeLessThanOrEqual(5)
    expect(statusCode).toBe(200)
    expect(body).toBe('id,amount\r\n')
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': '11',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="zahlungen-ma-rz-\d{4}-\d\d-\d\dt\d{4}[.]csv"$/i,
    )
  })

  test('is repeated to the same key for some minutes only, and is not readable in the database', async () => {
    const { path } = await written()
    const ask = () =>
      reports.send(`POST ${path}`, { expires_in: 60 }, { headers: { 'idempotency-key': 'url' } })

    const first = (await ask()).json()
    const soon = (await ask()).json()
    const stored = await sql<{ text: string }>`select i::text as text from idempotency_keys as i`.execute(
      service.context.db,
    )
    service.moveClock(11 * MINUTE_MS)
    const later = (await ask()).json()

    expect(soon).toEqual(first)
    expect(later).toEqual({ ...first, url: '***' })
    expect(stored.rows.length).toBeGreaterThan(0)
    const { searchParams } = new URL(first.url)
    for (const { text } of stored.rows) expect(text).not.toContain(searchParams.get('signature'))
  })

  test('tells of the file without reading it, if asked with HEAD; only a download is logged, without its signature', async () => {
    const { reportId, executionId } = await written()
    const { url } = await reports.urlOf(reportId, executionId)
    const { pathname, search, searchParams } = new URL(url)
    const opened: string[] = []
    const storage: FileStorage = {
      ...service.reportFiles,
      open: async (key) => {
        const file = await service.reportFiles.open?.(key)
        return (
          file && {
            size: file.size,
            content: () => {
              opened.push('read')
              return file.content()
            },
            close: () => {
              opened.push('closed')
              return file.close()
            },
          }
        )
      },
    }
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const app = fastify()
    serveReportFiles(app, { context: service.context, secrets: service.secrets, storage, logger })

    const head = await app.inject({ method: 'HEAD', url: `${pathname}${search}` })
    const silent = lines.length
    const get = await app.inject({ method: 'GET', url: `${pathname}${search}` })

    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '11'])
    expect(get.body).toBe('id,amount\r\n')
    expect(opened).toEqual(['closed', 'read'])
    expect(silent).toBe(0)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      address: '127.0.0.1',
      report_execution_id: executionId,
      report_id: reportId,
      merchant_account_id: 'default',
    })
    expect(lines.join()).not.toContain(searchParams.get('signature'))
  })

  test('is on the audit log', async () => {
    const { reportId, executionId } = await written()

    await reports.urlOf(reportId, executionId)

    expect(await till.audited(executionId)).toHaveLength(1)
  })

  test.each([1, 60, 10_080])('is valid for %i minutes, and not a moment longer', async (minutes) => {
    const { reportId, executionId } = await written()

    const { url, expires_at } = await reports.urlOf(reportId, executionId, { expires_in: minutes })
    service.moveClock(minutes * MINUTE_MS - 2_000)
    const before = await reports.download(url)
    service.moveClock(2_000)
    const after = await reports.download(url)

    expect(Date.parse(expires_at)).toBeLessThanOrEqual(service.context.clock().getTime())
    expect([before.statusCode, after.statusCode]).toEqual([200, 403])
    expect(after.json()).toMatchObject({
      code: 'forbidden',
      details: [{ message: expect.stringContaining('expired') }],
    })
  })

  test.each([0, 10_081, 1.5, '5', null])('is not made for %j minutes', async (expires_in) => {
    const { path } = await written()

    const response = await reports.send(`POST ${path}`, { expires_in })

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].pointer).toBe('/expires_in')
  })

  test('outlives a moved clock of a sandbox', async () => {
    const { reportId, executionId } = await written()
    const { url } = await reports.urlOf(reportId, executionId)
    const real = service.context.clock
    const moved = Object.assign(() => new Date(real().getTime() + DAY_MS), { real })
    const app = fastify()
    const { secrets, reportFiles: storage } = service
    const logger = createLogger('silent')
    serveReportFiles(app, { context: { ...service.context, clock: moved }, secrets, storage, logger })

    const { pathname, search } = new URL(url)
    const { statusCode } = await app.inject({ method: 'GET', url: `${pathname}${search}` })

    expect(statusCode).toBe(200)
  })

  test('that was changed is refused', async () => {
    const { reportId, executionId } = await written()
    const other = await written()
    const { url } = await reports.urlOf(reportId, executionId)
    const { searchParams } = new URL(url)
    const [until, signature = ''] = [Number(searchParams.get('until')), searchParams.get('signature') ?? '']
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`

    const changed = [
      url.replace(String(until), String(until + 60)),
      url.replace(signature, flipped),
      url.replace(signature, signature.slice(0, -1)),
      url.replace(signature, `${signature}=`),
      url.replace(executionId, other.executionId),
      url.replace(executionId, crypto.randomUUID()),
      url.replace(executionId, 'folder-name'),
      url.replace(executionId, '..%2Ffolder-name'),
      url.replace(/&signature=.*/, ''),
      url.replace(/[?].*/, ''),
      `${url}&until=${until}`,
    ]

    for (const one of changed) {
      const { statusCode, body } = await reports.download(one)
      expect(statusCode, one).toBe(403)
      expect(body).toContain('was changed')
    }
    expect((await reports.download(url)).statusCode).toBe(200)
  })

  test('of a file about buyers takes the scope of their details, too', async () => {
    const spec = { model: 'transactions', params: { fields: ['id', 'billing_details_last_name'] } }
    const [withBuyers, all, without] = [
      await written({ spec }),
      await written({ spec: { model: 'transactions', params: {} } }),
      await written(),
    ]
    const exp = Math.floor(service.context.clock().getTime() / 1000) + 3_600
    const tokenFor = (...scopes: string[]) => signToken(service.admin, { scopes, exp })
    const ask = async (path: string, token: string) => reports.send(`POST ${path}`, undefined, { token })
    const plain = await tokenFor('reports.read')

    const refused = [await ask(withBuyers.path, plain), await ask(all.path, plain)]
    const granted = await ask(withBuyers.path, await tokenFor('reports.read', 'buyers.billing-details.read'))
    const other = await ask(without.path, plain)

    for (const { statusCode, body } of refused) {
      expect(statusCode, body).toBe(403)
      expect(body).toContain('buyers.billing-details.read')
    }
    expect([granted.statusCode, other.statusCode]).toEqual([200, 200])
  })

  test('is made by those who manage reports and may do little else', async () => {
    const key = await service.addKey({ roleIds: [await roleIdOf(service.context, 'report-manager')] })
    const exp = Math.floor(service.context.clock().getTime() / 1000) + 3_600
    const token = await signToken(key, { exp })
    const body = { ...DAILY, schedule: 'once', schedule_enabled: false }

    const report = (await reports.send('POST /reports', body, { token })).json()
    await reports.write()
    const [execution] = await reports.executionsOf(report.id)
    const path = `/reports/${report.id}/executions/${execution.id}/url`
    const url = await reports.send(`POST ${path}`, undefined, { token })
    const payments = await reports.send('GET /transactions', undefined, { token })

    expect([url.statusCode, payments.statusCode]).toEqual([200, 403])
  })

  test('for a file that is not written yet is not made', async () => {
    const report = await reports.create({ schedule: 'once', schedule_enabled: false })
    const [execution] = await reports.executionsOf(report.id)

    const response = await reports.send(`POST /reports/${report.id}/executions/${execution.id}/url`)

    expect(response.statusCode).toBe(404)
    expect(response.json().details[0].message).toContain('no file yet')
    await reports.write()
  })

  test('for an execution of another report is not made', async () => {
    const [one, other] = [await written(), await written()]

    const response = await reports.send(`POST /reports/${one.reportId}/executions/${other.executionId}/url`)

    expect(response.statusCode).toBe(404)
  })
})

async function filesOf(...executionIds: string[]): Promise<string[]> {
  const names = readdirSync(service.reportFiles.spoolFolder)
  return names.filter((name) => executionIds.some((id) => name.startsWith(id)))
}

describe('a file that is gone', () => {
  const sentence = 'no longer kept'

  test('after 30 days is a 404 that says so; its execution stays', async () => {
    const { reportId, executionId, path } = await written()
    service.moveClock(30 * DAY_MS - MINUTE_MS)
    await reports.removeOld()
    const { url } = await reports.urlOf(reportId, executionId, { expires_in: 10_080 })
    const before = await reports.download(url)

    service.moveClock(2 * MINUTE_MS)
    await reports.removeOld()
    const download = await reports.download(url)
    const another = await reports.send(`POST ${path}`)

    expect(before.statusCode).toBe(200)
    expect([download.statusCode, another.statusCode]).toEqual([404, 404])
    expect(download.json().details[0].message).toContain(sentence)
    expect(another.json().details[0].message).toContain(sentence)
    expect((await reports.ask(`/report-executions/${executionId}`)).status).toBe('succeeded')
    const names = readdirSync(service.reportFiles.spoolFolder)
    expect(names.filter((name) => name.startsWith(executionId))).toEqual([])
  })

  test('a file that cannot be removed holds up no other, and is tried again', async () => {
    const [stuck, other] = [await written(), await written()]
    const remove = (key: string) =>
      key.startsWith(stuck.executionId) ? Promise.reject(new Error('busy')) : service.reportFiles.remove(key)
    service.moveClock(31 * DAY_MS)

    await expect(reports.removeOld({ ...service.reportFiles, remove })).rejects.toThrow('busy')
    const left = await filesOf(stuck.executionId, other.executionId)
    await reports.removeOld()

    expect(left).toEqual([`${stuck.executionId}-1.csv`])
    expect(await filesOf(stuck.executionId, other.executionId)).toEqual([])
  })

  test('a file at another place is left to those who use that place', async () => {
    const elsewhere = diskStorage({ folder: tempFolder(), linkTo: () => '' })
    const report = await reports.create({ schedule: 'once', schedule_enabled: false })
    await reports.write({ storage: elsewhere })
    const [execution] = await reports.executionsOf(report.id)
    service.moveClock(31 * DAY_MS)

    await reports.removeOld()
    const kept = readdirSync(elsewhere.spoolFolder)
    const response = await reports.send(`POST /reports/${report.id}/executions/${execution.id}/url`)
    await reports.removeOld(elsewhere)

    expect(kept).toContain(`${execution.id}-1.csv`)
    expect(response.json().details[0].message).toContain('REPORTS_DIR')
    expect(readdirSync(elsewhere.spoolFolder)).toEqual(['folder-name'])
  })

  test('because a person removed it is the same', async () => {
    const { reportId, executionId } = await written()
    const { url } = await reports.urlOf(reportId, executionId)
    rmSync(join(service.reportFiles.spoolFolder, `${executionId}-1.csv`))

    const { statusCode, json } = await reports.download(url)

    expect(statusCode).toBe(404)
    expect(json().details[0].message).toContain(sentence)
  })

  test('because another machine has it on its own disk is a sentence to the operator', async () => {
    const elsewhere = diskStorage({ folder: tempFolder(), linkTo: () => '' })
    const report = await reports.create({ schedule: 'once', schedule_enabled: false })
    await reports.write({ storage: elsewhere })
    const [execution] = await reports.executionsOf(report.id)

    const response = await reports.send(`POST /reports/${report.id}/executions/${execution.id}/url`)

    expect(response.statusCode).toBe(404)
    expect(response.json().details[0].message).toMatch(/REPORTS_DIR .+ REPORTS_S3_URL/)
  })
})
