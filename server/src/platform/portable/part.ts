import { createGunzip, createGzip } from 'node:zlib'
import {
  BrokenFile,
  CUT,
  codeOf,
  DAMAGED,
  digest,
  explainDamage,
  FORGED,
  linesOf,
  type Mac,
  markLine,
  readMark,
} from './format.ts'
import type { Applied } from './tables.ts'

type Ending = { readonly end: string; readonly sha256: string; readonly code: string }

/*
 * A file of rows that left the database together. Its lines are those of an export (`format.ts`): a header, tables with their
 * rows, an end. It is small enough for the memory.
 */
const FORMAT = 'switchyard-archive'
const FORMAT_VERSION = 1

/** What the file says of itself. */
type PartHeader = {
  readonly id: string
  /** Null: the rows are those of the whole installation. */
  readonly merchant_account_id: string | null
  readonly month: string
  readonly made_at: string
  readonly program_version: string
  readonly migrations: readonly Applied[]
}

/** The rows of a table. `lines` are in the order in which they were written. */
export type PartTable = {
  readonly table: string
  readonly columns: readonly string[]
  readonly lines: readonly string[]
}

export type Part = { readonly header: PartHeader; readonly tables: readonly PartTable[] }

/** The bytes of the file. */
export function writePart({ header, tables }: Part, mac: Mac): AsyncIterable<Buffer> {
  const compressed = createGzip()
  compressed.end(textOf({ header, tables }, mac))
  return compressed
}

function textOf({ header, tables }: Part, mac: Mac): string {
  const counts = Object.fromEntries(tables.map(({ table, lines }) => [table, lines.length]))
  const text = [
    markLine({ format: FORMAT, format_version: FORMAT_VERSION, ...header, tables: counts }),
    ...tables.flatMap(({ table, columns, lines }) => [
      markLine({ table, columns }),
      ...lines.map((line) => `${line}\n`),
      markLine({ end: table, rows: lines.length, sha256: digestOf(lines) }),
    ]),
  ].join('')
  const sha256 = digest().update(text).digest('hex')
  return text + markLine({ end: 'file', sha256, code: codeOf(mac, { sha256, sequences: [] }) })
}

/** Of rows, as `TableEnds` has it. */
export function digestOf(lines: readonly string[]): string {
  const hash = digest()
  for (const line of lines) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/** Reads a whole file, and refuses one that was cut or changed. */
export async function readPart(stream: NodeJS.ReadableStream, mac: Mac): Promise<Part> {
  const unpacked = createGunzip()
  stream.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  const lines: string[] = []
  try {
    for await (const line of linesOf(unpacked)) lines.push(line)
  } catch (error) {
    throw explainDamage(error)
  }
  const last = lines.pop()
  const end: Partial<Ending> = last === undefined ? {} : (readMark(last) as Partial<Ending>)
  if (end.end !== 'file') throw new BrokenFile(CUT)
  const sha256 = digestOf(lines)
  if (end.sha256 !== sha256) throw new BrokenFile(DAMAGED)
  if (end.code !== codeOf(mac, { sha256, sequences: [] })) throw new BrokenFile(FORGED)
  const [first = '', ...rest] = lines
  return { header: readPartHeader(first), tables: tablesIn(rest) }
}

function readPartHeader(line: string): PartHeader {
  const { format, format_version, ...header } = readMark(line) as unknown as PartHeader & {
    readonly format?: string
    readonly format_version?: number
  }
  if (format !== FORMAT) throw new BrokenFile('This is not a file of switchyard archive.')
  if (format_version !== FORMAT_VERSION)
    throw new BrokenFile('The file was written by a newer version. Install that version, and use it here.')
  return header
}

function tablesIn(lines: readonly string[]): PartTable[] {
  const tables: PartTable[] = []
  let place = 0
  while (place < lines.length) {
    const begins = readMark(lines[place] ?? '')
    const until = lines.findIndex((line, index) => index > place && !line.startsWith('['))
    const ends = readMark(lines[until] ?? '')
    const rows = lines.slice(place + 1, until)
    if (!('table' in begins) || !('rows' in ends) || ends.end !== begins.table) throw new BrokenFile(DAMAGED)
    if (ends.rows !== rows.length || ends.sha256 !== digestOf(rows)) throw new BrokenFile(DAMAGED)
    tables.push({ ...begins, lines: rows })
    place = until + 1
  }
  return tables
}
