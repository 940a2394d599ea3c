import { readLines } from '#connectors/contract/read-lines.ts'
import {
  type ReportEntry,
  type ReportHeader,
  type ReportLine,
  UnreadableReport,
} from '#connectors/contract/reports.ts'

type Written = Partial<Omit<ReportLine, 'type' | 'number'>> & Pick<ReportLine, 'reference' | 'amount'>

export type Sheet = {
  readonly name?: string
  readonly header?: Partial<ReportHeader>
  readonly lines: readonly Written[]
  /** What the trailer states, if it is not what the lines add up to. */
  readonly trailer?: {
    readonly count?: number
    readonly gross?: number
    readonly fees?: number
    readonly net?: number
  }
}

/** One JSON document for each line. */
export function writeSheet({ header, lines, trailer }: Sheet, now: Date, number: number): string {
  const first = {
    type: 'header',
    reportId: `report-${number}`,
    date: '2026-11-15',
    account: 'shop',
    currency: 'USD',
  }
  const currency = header?.currency ?? 'USD'
  const entries = lines.map((line, index) => ({
    type: 'line',
    number: index + 2,
    kind: 'settlement',
    id: `movement-${number}-${index}`,
    ourReference: null,
    currency,
    commission: 0,
    interchange: null,
    markup: null,
    schemeFee: null,
    original: null,
    exchangeRate: null,
    postedAt: now,
    code: null,
    reason: null,
    ...line,
  }))
  const gross = entries.reduce((sum, { amount }) => sum + amount, 0)
  const fees = entries.reduce((sum, { commission }) => sum + commission, 0)
  const sums = { type: 'trailer', count: entries.length, gross, fees, net: gross - fees, ...trailer }
  return [{ ...first, ...header }, ...entries, sums].map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** Reads such a file. */
export async function* parseSheet(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReportEntry> {
  for await (const { number, text } of readLines(bytes)) {
    const entry = parsed(text)
    if (!entry) throw new UnreadableReport(number, 'this is no JSON document')
    yield 'postedAt' in entry ? { ...entry, postedAt: new Date(entry.postedAt) } : entry
  }
}

function parsed(text: string): ReportEntry | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
