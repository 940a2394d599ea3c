import { createHash, type Hash } from 'node:crypto'
import type { Secrets } from '../access/secrets.ts'
import type { Applied, Sequence } from './tables.ts'

/*
 * A file of one installation's rows: lines of JSON, compressed with gzip. The first line is a `Header`, the last an `Ending`.
 * In between, each table begins with a `TableBegins` and ends with a `TableEnds`; a line between them is a row: an array of
 * its columns as PostgreSQL writes them as text, or null. Text is exact for every type, and any PostgreSQL reads it.
 */
const FORMAT = 'switchyard-export'
const FORMAT_VERSION = 1

export type Header = {
  readonly format: typeof FORMAT
  readonly format_version: number
  readonly made_at: string
  readonly program_version: string
  readonly migrations: readonly Applied[]
  /** How many rows each table has. */
  readonly tables: Readonly<Record<string, number>>
}
export type TableBegins = { readonly table: string; readonly columns: readonly string[] }
/** `sha256` is of the table's rows. */
export type TableEnds = { readonly end: string; readonly rows: number; readonly sha256: string }
/** `sha256` is of all lines before this one. `code` covers it and the sequences, with a key of the installation. */
export type Ending = {
  readonly end: 'file'
  readonly sequences: readonly Sequence[]
  readonly sha256: string
  readonly code: string
}

export type Mac = Secrets['mac']

/** A checksum can be made anew by whoever changes a file. This cannot. */
export function codeOf(mac: Mac, { sequences, sha256 }: Pick<Ending, 'sequences' | 'sha256'>): string {
  return mac('export', JSON.stringify([sha256, sequences])).toString('hex')
}

type Facts = Omit<Header, 'format' | 'format_version'>

export function headerOf(facts: Facts): Header {
  return { format: FORMAT, format_version: FORMAT_VERSION, ...facts }
}

/** The file is not one of ours, or was damaged on its way. */
export class BrokenFile extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BrokenFile'
  }
}

export const CUT =
  'The file ends too early: it was cut on its way, or its export was interrupted. Copy it again.'
const FOREIGN = 'This is not a file of switchyard export or switchyard backup.'

export const DAMAGED = 'The file is damaged: a checksum does not fit. Copy it again.'

export const FORGED =
  'The code of the file does not fit. It was changed by someone without the secret of this installation, or written with another secret. ' +
  'Nothing was read from it. Use a copy from a place where nobody else can write.'

/** Errors of decompression: the file is none of ours, ends too early, or has a byte that differs. */
export function explainDamage(error: unknown): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string }
  if (code === 'Z_BUF_ERROR') return new BrokenFile(CUT)
  if (code === 'Z_DATA_ERROR' && message === 'incorrect header check') return new BrokenFile(FOREIGN)
  const isDamaged = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' || /^Z_/.test(String(code))
  return isDamaged ? new BrokenFile(DAMAGED) : error
}

export function readHeader(line: string): Header {
  const header = parse(line) as Partial<Header> | null
  if (header?.format !== FORMAT) throw new BrokenFile(FOREIGN)
  if (header.format_version !== FORMAT_VERSION)
    throw new BrokenFile('The file was written by a newer version. Install that version, and use it here.')
  return header as Header
}

/** A line that is no row, to be written. */
export function markLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** A line that is no row. */
export function readMark(line: string): TableBegins | TableEnds | Ending {
  return parse(line) as TableBegins | TableEnds | Ending
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // The parser's own message would repeat what is in the file.
    throw new BrokenFile(FOREIGN)
  }
}

export function digest(): Hash {
  return createHash('sha256')
}

/** No row of ours is nearly as long. A file of a few kilobytes can hold a line that fills the memory. */
const LINE_MAX = 64 * 1024 * 1024

/** A row that could not be read again must not be written. */
export function checkLength(line: string): void {
  if (line.length > LINE_MAX)
    throw new BrokenFile(`A line is longer than ${LINE_MAX / 1024 / 1024} MB. No row of an installation is.`)
}

/** The lines of a stream, without their ends. A last line that has no end is left out: it is not whole. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // The beginning of a line. It is joined once, however many chunks the line has.
  let parts: string[] = []
  let length = 0
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    length += first.length
    if (length > LINE_MAX) checkLength(parts.join(''))
    const last = others.pop()
    if (last === undefined) continue
    yield parts.join('')
    yield* others
    parts = [last]
    length = last.length
  }
}
