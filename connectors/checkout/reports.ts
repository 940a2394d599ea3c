import {
  FEE_PARTS,
  type ListAnswer,
  type ReportFile,
  type ReportLink,
  type Reports,
} from '#connectors/contract/reports.ts'
import { parseReport } from './parse-report.ts'
import { addressOf, isObject, type Json, send } from './wire.ts'

/**
 * Checkout.com makes a report of the financial actions of each payout to the merchant, in one file or several. We make one file of a
 * report: what it is about, the files as they are, and the end, so that nothing can be missing.
 * https://www.checkout.com/docs/funds-management/retrieve-financial-reports
 */
export const reports: Reports = { list, read, parse: parseReport, fees: FEE_PARTS }

const PAGE_SIZE = 100
const PAGES_MAX = 100

async function list(since: Date, link: ReportLink): Promise<ListAnswer> {
  const found: ReportFile[] = []
  let token: string | null = null
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = new URLSearchParams({
      created_after: since.toISOString(),
      limit: String(PAGE_SIZE),
      ...(token !== null && { pagination_token: token }),
    })
    const reply = await send(link, { method: 'GET', path: `reports?${query}` })
    if (reply.kind === 'lost') return unreachable(reply.reason)
    if (reply.kind === 'error') return unreachable(problemOf(reply.status))
    const { count, data, _links: links } = reply.body
    if (!Array.isArray(data) || count !== data.length)
      return unreachable('Checkout.com answered with something else than a list')
    found.push(...data.filter(isObject).flatMap((report) => toFile(report, since) ?? []))
    token = tokenIn(links)
    if (token === null) {
      const files = found.toSorted((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime())
      return { outcome: 'listed', files, hasMore: false }
    }
  }
  return unreachable('Checkout.com lists more reports than can be read')
}

/** Null: it is another report. Only those by payout have a tag that names one. */
function toFile(report: Json, since: Date): ReportFile | null {
  const publishedAt = new Date(String(report['created_on']))
  const [first] = filesIn(report)
  const isOurs = isReportId(report['id']) && payoutIn(report) !== null && first !== undefined
  if (!isOurs || Number.isNaN(publishedAt.getTime()) || publishedAt < since) return null
  return { id: String(report['id']), name: first.name, publishedAt }
}

type CsvFile = { readonly id: string; readonly name: string }

const NAME = /^financial-?actions_[\w-]{1,150}\.csv$/i

function filesIn({ files }: Json): readonly CsvFile[] {
  return (Array.isArray(files) ? files : []).filter(isObject).flatMap(({ id, filename }) => {
    const isCsv = typeof filename === 'string' && NAME.test(filename)
    return isCsv && typeof id === 'string' && /^file_\w{1,60}$/.test(id) ? [{ id, name: filename }] : []
  })
}

/** As in `payout_id:000000001DRL`. */
function payoutIn({ tags }: Json): string | null {
  const tag = (Array.isArray(tags) ? tags : []).find((one) => /^payout_id:\w{1,60}$/.test(String(one)))
  return tag === undefined ? null : String(tag).slice('payout_id:'.length)
}

function tokenIn(links: unknown): string | null {
  const next = isObject(links) ? links['next'] : null
  const href = isObject(next) ? String(next['href']) : ''
  return URL.canParse(href) ? new URL(href).searchParams.get('pagination_token') : null
}

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  if (!isReportId(fileId)) throw new Error('this is no id of a report')
  const reply = await send(link, { method: 'GET', path: `reports/${fileId}` })
  if (reply.kind !== 'answer') {
    throw new Error(reply.kind === 'lost' ? reply.reason : problemOf(reply.status))
  }
  const { id, account, to, created_on } = reply.body
  const payout = payoutIn(reply.body)
  if (id !== fileId || payout === null || !isObject(account))
    throw new Error('Checkout.com answered with another report')
  yield line({
    payout,
    account: account['entity_id'] ?? account['client_id'],
    date: String(to ?? created_on).slice(0, 10),
    zone: link.fields['settlement_time_zone'] || 'UTC',
    channel: link.fields['processing_channel_id'] || null,
  })
  for (const file of filesIn(reply.body)) {
    yield line({ file: file.name })
    yield* bytesOf(`reports/${fileId}/files/${file.id}`, link)
  }
  yield line({ end: true })
}

const NEWLINE = 0x0a

/** The file, with an end to its last line. */
async function* bytesOf(path: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  const { url, headers } = addressOf(path, link)
  // The error of a failed request may repeat what was sent.
  const response = await link.stream(url, { headers }).catch(() => null)
  if (response?.status !== 200) {
    throw new Error(`Checkout.com did not deliver the file (${response?.status ?? 'no answer'})`)
  }
  let last: number | undefined
  for await (const chunk of response.body) {
    if (chunk.byteLength > 0) last = chunk.at(-1)
    yield chunk
  }
  if (last !== NEWLINE) yield Buffer.from('\n')
}

function isReportId(id: unknown): id is string {
  return typeof id === 'string' && /^rpt_\w{1,60}$/.test(id)
}

function problemOf(status: number): string {
  if (status === 401) return 'Checkout.com does not accept secret_key'
  if (status === 403) return 'secret_key may not read reports: give it the scope for reports'
  return `Checkout.com does not show its reports (${status})`
}

function unreachable(message: string): ListAnswer {
  return { outcome: 'unreachable', message }
}

function line(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
