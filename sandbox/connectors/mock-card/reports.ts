import {
  FEE_PARTS,
  type ListAnswer,
  type ReportFile,
  type ReportLink,
  type Reports,
} from '#connectors/contract/reports.ts'
import { parseReport } from './parse-report.ts'
import { exchange, headersOf, PROCESSOR_URL } from './wire.ts'

/** The files of the simulated processor, which it makes of its books. See docs/guide/simulator.md. */
export const reports = { list, read, parse: parseReport, accountOf, fees: FEE_PARTS } satisfies Reports

async function list(since: Date, link: ReportLink): Promise<ListAnswer> {
  const { settlement_currency: currency, report_fault: fault } = link.fields
  const query = new URLSearchParams({
    since: since.toISOString(),
    ...(currency && { settlement_currency: currency }),
    ...(fault && { fault }),
  })
  const reply = await exchange(link, { path: `files?${query}` })
  if (reply?.status === 400) {
    return unreachable(`the processor does not accept the reporting field ${fieldIn(reply.body)}`)
  }
  if (reply?.status === 401) return unreachable('the processor knows no such merchant_id')
  const files = reply?.status === 200 ? reply.body['files'] : null
  const hasMore = reply?.body['has_more']
  if (!Array.isArray(files) || !files.every(isFile) || typeof hasMore !== 'boolean') {
    return unreachable('the processor gave no readable answer')
  }
  const nextAt = new Date(String(reply?.body['next_at']))
  const isTold = !Number.isNaN(nextAt.getTime())
  return { outcome: 'listed', files: files.map(toFile), hasMore, ...(isTold && { nextAt }) }
}

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  const url = `${PROCESSOR_URL}/files/${encodeURIComponent(fileId)}`
  // The error of a failed request may repeat what was sent.
  const response = await link.stream(url, { headers: headersOf(link.fields) }).catch(() => null)
  if (response?.status !== 200) {
    throw new Error(`the processor did not deliver the file (${response?.status ?? 'no answer'})`)
  }
  yield* response.body
}

function accountOf(fields: Readonly<Record<string, string>>): string | null {
  return fields['merchant_id'] ?? null
}

type WireFile = { readonly id: string; readonly name: string; readonly published_at: string }

function isFile(value: unknown): value is WireFile {
  const { id, name, published_at: publishedAt } = (value ?? {}) as Record<string, unknown>
  return (
    typeof id === 'string' &&
    id !== '' &&
    typeof name === 'string' &&
    typeof publishedAt === 'string' &&
    !Number.isNaN(Date.parse(publishedAt))
  )
}

function toFile({ id, name, published_at }: WireFile): ReportFile {
  return { id, name, publishedAt: new Date(published_at) }
}

function fieldIn(body: Readonly<Record<string, unknown>>): string {
  return body['field'] === 'fault' ? 'report_fault' : String(body['field'])
}

function unreachable(message: string): ListAnswer {
  return { outcome: 'unreachable', message }
}
