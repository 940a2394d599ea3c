import { type CsvLine, NotCsvError, readCsv } from '#platform/portable/csv.ts'
import { UnusableFile } from './decrypt.ts'
import { contentOf, type Kind, kindOf } from './shapes.ts'

/** A row as it stands in the file: its content, or why it has none. */
export type FileRow = {
  /** Of its line in a CSV file, or of its card in another one. */
  readonly number: number
  readonly content: Record<string, unknown>
  readonly problem: string | null
}

export type FileRows = { readonly kind: Kind; readonly rows: readonly FileRow[] }

/** Rows have up to sixty columns. A longer line is no row, but it must not break the file. */
const LINE_LENGTH_MAX = 100_000

/** The rows of a file in our own columns, some at a time. Throws `UnusableFile` if it is none. */
export async function* readFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRows> {
  let header: readonly string[] | undefined
  let kind: Kind = 'cards'
  try {
    for await (const lines of readCsv(chunks, LINE_LENGTH_MAX)) {
      if (!header) {
        const [first] = lines.splice(0, 1)
        if (!first) continue
        if ('problem' in first) throw new UnusableFile(`The header cannot be read: ${first.problem}.`)
        header = first.fields.map((name) => name.trim())
        kind = kindOf(header)
      }
      const columns = header
      yield { kind, rows: lines.map((line) => rowOf(columns, line)) }
    }
  } catch (cause) {
    if (cause instanceof NotCsvError) throw new UnusableFile(cause.message, { cause })
    throw cause
  }
}

function rowOf(columns: readonly string[], line: CsvLine): FileRow {
  const { number } = line
  if ('problem' in line) return { number, content: { payment_method: {} }, problem: line.problem }
  const { fields } = line
  const content = contentOf(columns, fields)
  if (fields.length === columns.length) return { number, content, problem: null }
  return {
    number,
    content,
    problem: `the row has ${fields.length} columns, and the header ${columns.length}`,
  }
}
