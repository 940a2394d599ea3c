import { afterAll, beforeAll, expect } from 'vitest'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { createLogger } from '#platform/observability/log.ts'
import { beginDue } from '#resources/reports/executions/begin.ts'
import { writeDueFiles } from '#resources/reports/executions/write.ts'
import { removeOldFiles } from '#resources/reports/resource.ts'
import { type SendOptions, signToken, startTestService, type TestService } from './harness.ts'
import { openTill, type Till } from './till.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

const TEN_YEARS_S = 10 * 365 * 86_400

type Running = { readonly storage?: FileStorage; readonly stopping?: AbortSignal }

/** Everything that tests do with reports. */
export function openReports(service: TestService) {
  const needs = (storage: FileStorage = service.reportFiles) => ({
    context: service.context,
    pool: service.database.pool,
    reportFiles: storage,
    logger: createLogger('silent'),
    reportRetentionDays: 30,
  })
  const never = new AbortController().signal
  // Tests move the clock by months.
  const exp = Math.floor(service.context.clock().getTime() / 1000) + TEN_YEARS_S
  const token = signToken(service.admin, { exp })
  const send = async (route: string, body?: unknown, options: SendOptions = {}) =>
    service.send(route, body, { token: await token, ...options })
  const begin = (stopping = never) => beginDue(service.context, stopping)
  const write = ({ storage, stopping = never }: Running = {}) => writeDueFiles(needs(storage), stopping)
  const ask = async (path: string, options?: SendOptions): Promise<Json> => {
    const response = await send(`GET ${path}`, undefined, options)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const create = async (body: object = {}, options?: SendOptions): Promise<Json> => {
    const response = await send('POST /reports', { ...DAILY, ...body }, options)
    expect(response.statusCode, response.body).toBe(201)
    return response.json()
  }
  const executionsOf = async (id: string): Promise<Json[]> => (await ask(`/reports/${id}/executions`)).items
  const urlOf = async (reportId: string, executionId: string, body?: object): Promise<Json> => {
    const response = await send(`POST /reports/${reportId}/executions/${executionId}/url`, body)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const download = (url: string) => {
    const { pathname, search } = new URL(url)
    return service.app.inject({ method: 'GET', url: `${pathname}${search}` })
  }
  /** Creates a report that runs once, writes its file, and reads the file's lines. */
  const readOnce = async (spec: object): Promise<string[]> => {
    const report = await create({ schedule: 'once', schedule_enabled: false, spec })
    await write()
    const [execution] = await executionsOf(report.id)
    expect(execution.status).toBe('succeeded')
    const { url } = await urlOf(report.id, execution.id)
    const { body } = await download(url)
    return body.split('\r\n').slice(0, -1)
  }
  return {
    send,
    token,
    begin,
    write,
    removeOld: (storage?: FileStorage) => removeOldFiles(needs(storage), never),
    create,
    executionsOf,
    urlOf,
    download,
    get: (id: string) => ask(`/reports/${id}`),
    ask,
    readOnce,
    /** The same, with the lines by the names of their columns. For values without commas. */
    readRows: async (spec: object): Promise<Record<string, string>[]> => {
      const [names = [], ...rows] = (await readOnce(spec)).map((line) => line.split(','))
      return rows.map((texts) => Object.fromEntries(texts.map((text, place) => [names[place], text])))
    },
  }
}

type ReportShop = {
  readonly service: TestService
  readonly reports: ReturnType<typeof openReports>
  readonly till: Till
}

/** A shop for all tests of a file: a service, its till, and its reports. */
export function useReportShop(): ReportShop {
  const shop = {} as ReportShop
  beforeAll(async () => {
    const service = await startTestService()
    Object.assign(shop, { service, reports: openReports(service), till: openTill(service) })
  })
  afterAll(() => shop.service.close())
  return shop
}

export const DAILY = {
  name: 'Payments',
  schedule: 'daily',
  schedule_enabled: true,
  spec: { model: 'transactions', params: { fields: ['id', 'amount'] } },
}
