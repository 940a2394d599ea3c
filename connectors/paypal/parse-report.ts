import { readLines, type TextLine } from '#connectors/contract/read-lines.ts'
import {
  REPORT_LINE_KINDS,
  type ReportEntry,
  type ReportLine,
  type ReportTrailer,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { isObject, type Json } from './wire.ts'
import type { Movement } from './write-report.ts'

/** Reads a file as `writeReport` writes it. */
export async function* parseReport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReportEntry> {
  let isEnded = false
  let currency = ''
  let last = 0
  for await (const line of readLines(bytes)) {
    last = line.number
    if (isEnded) throw new UnreadableReport(last, 'there is text after the trailer')
    const entry = read(line)
    const isHeader = entry['type'] === 'header'
    if (isHeader !== (last === 1)) throw new UnreadableReport(last, 'the header is not the first line')
    if (isHeader) {
      const header = toHeader(entry, last)
      currency = header.currency
      yield header
    } else if (entry['type'] === 'trailer') {
      isEnded = true
      yield toTrailer(entry, last)
    } else yield toLine(entry, last, currency)
  }
  if (!isEnded) throw new UnreadableReport(last + 1, 'the file ends without a trailer')
}

function read({ number, text }: TextLine): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw new UnreadableReport(number, 'the line is no JSON object')
}

function toHeader(entry: Json, number: number) {
  const { report, date, account, currency } = entry
  const texts = [report, date, account, currency]
  if (!texts.every((text) => typeof text === 'string' && text !== '')) {
    throw new UnreadableReport(number, 'the header lacks a value')
  }
  const [reportId = '', day = '', owner = '', unit = ''] = texts as string[]
  return { type: 'header', reportId, date: day, account: owner, currency: unit } as const
}

function toLine(entry: Json, number: number, currency: string): ReportLine {
  const { kind, reference, ourReference, amount, commission, at, code } = entry as Partial<Movement>
  const postedAt = new Date(typeof at === 'string' ? at : Number.NaN)
  if (entry['type'] !== 'line' || !kind || !REPORT_LINE_KINDS.includes(kind)) {
    throw new UnreadableReport(number, 'the kind of the line is unknown')
  }
  if (!reference || Number.isNaN(postedAt.getTime())) {
    throw new UnreadableReport(number, 'the line has no reference, or no time')
  }
  const isDispute = kind === 'chargeback' || kind === 'chargeback_reversal'
  return {
    type: 'line',
    number,
    kind,
    id: null,
    reference,
    ourReference: ourReference ?? null,
    amount: integer(amount, number),
    currency,
    commission: integer(commission, number),
    interchange: null,
    markup: null,
    schemeFee: null,
    original: null,
    exchangeRate: null,
    postedAt,
    code: isDispute ? (code ?? null) : null,
    reason: null,
  }
}

function toTrailer(entry: Json, number: number): ReportTrailer {
  const [count = 0, gross = 0, fees = 0, net = 0] = ['count', 'gross', 'fees', 'net'].map((name) =>
    integer(entry[name], number),
  )
  return { type: 'trailer', count, gross, fees, net }
}

function integer(value: unknown, number: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new UnreadableReport(number, 'an amount is not an integer')
}
