import { readLines } from './read-lines.ts'
import {
  type ReportEntry,
  type ReportHeader,
  type ReportLine,
  type ReportLink,
  type Reports,
  UnreadableReport,
} from './reports.ts'
import { isObject } from './shapes.ts'

/**
 * For providers that have no files, only lists: a connector makes a file of what they list, JSON, one object to a line. The first line is
 * about the whole, the last one is `reportEnd`.
 */
export function reportLine(fields: object): Buffer {
  return Buffer.from(`${JSON.stringify(fields)}\n`)
}

export function reportEnd(count: number): Buffer {
  return reportLine({ line: 'end', count })
}

type Json = Readonly<Record<string, unknown>>

type Meaning<Begun extends ReportHeader> = {
  /** As it is called in errors: `payout`. */
  readonly whole: string
  /** The first line, whose `amount` is the sum of the others. */
  readonly toHeader: (fields: Json, number: number) => Begun
  /** The field of the other lines that adds to the sum. */
  readonly sumOf: string
  /** Null: it counts in the sum alone. */
  readonly toLine: (fields: Json, number: number, header: Begun) => ReportLine | null
}

/** Reads such a file. What is missing or added is seen by the number of lines and by their sum. */
export function parserOf<Begun extends ReportHeader>(meaning: Meaning<Begun>): Reports['parse'] {
  return async function* parse(bytes): AsyncGenerator<ReportEntry> {
    const sums = { count: 0, gross: 0, fees: 0, net: 0 }
    let header: Begun | null = null
    let left = 0
    let read = 0
    let isEnded = false
    for await (const { number, text } of readLines(bytes)) {
      const fields = fieldsOf(text, number)
      if (isEnded) throw new UnreadableReport(number, 'there is text after the end')
      if (header === null) {
        header = meaning.toHeader(fields, number)
        left = wholeIn(fields, 'amount', number)
        const { type, reportId, date, account, currency } = header
        yield { type, reportId, date, account, currency }
      } else if (fields['line'] === 'end') {
        if (fields['count'] !== read)
          throw new UnreadableReport(number, 'the number of lines is not as stated')
        if (left !== 0) throw new UnreadableReport(number, `the lines do not add up to the ${meaning.whole}`)
        isEnded = true
      } else {
        read += 1
        left -= wholeIn(fields, meaning.sumOf, number)
        const line = meaning.toLine(fields, number, header)
        if (!line) continue
        sums.count += 1
        sums.gross += line.amount
        sums.fees += line.commission
        sums.net += line.amount - line.commission
        yield line
      }
    }
    if (!isEnded) throw new UnreadableReport(read + 2, 'the end is missing')
    yield { type: 'trailer', ...sums }
  }
}

function fieldsOf(text: string, number: number): Json {
  try {
    const fields: unknown = JSON.parse(text)
    if (isObject(fields)) return fields
  } catch {
    // Not JSON.
  }
  throw new UnreadableReport(number, 'this is no JSON object')
}

export function wholeIn(fields: Json, name: string, number: number): number {
  const value = fields[name]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new UnreadableReport(number, `${name} is no whole number`)
}

/** A page of a list, which may exceed what `fetch` takes. Null: it was not delivered. Errors are not passed on: they may repeat what was sent. */
export async function streamObject(link: ReportLink, url: string, init: RequestInit): Promise<Json | null> {
  try {
    const response = await link.stream(url, init)
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body) chunks.push(chunk)
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return response.status === 200 && isObject(body) ? body : null
  } catch {
    return null
  }
}
