import { type CsvLine, NotCsvError, readCsv } from '#platform/portable/csv.ts'
import { UnusableFile } from './decrypt.ts'
import { columnsOfLayout, type Get, LAYOUTS, type LayoutName, mapped } from './layouts.ts'
import { readObjects } from './read-json.ts'
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

/** The rows of a file, some at a time. Without a layout, it has our own columns. Throws `UnusableFile` if it is none. */
export async function* readFile(
  chunks: AsyncIterable<Uint8Array>,
  layout: LayoutName | null,
): AsyncGenerator<FileRows> {
  const [start, whole] = await peeked(chunks)
  if (layout === 'stripe' && /^\s*[{[]/.test(start)) yield* readCustomers(whole)
  else yield* readLines(whole, layout)
}

/** The first letters of a file, and the file with them. */
async function peeked(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[start: string, whole: AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  const { value: first, done } = await iterator.next()
  const start = done
    ? ''
    : Buffer.from(first)
        .subarray(0, 100)
        .toString('utf8')
        .replace(/^\uFEFF/, '')
  const whole = async function* () {
    if (done) return
    yield first
    try {
      for (;;) {
        const { value, done: isEnd } = await iterator.next()
        if (isEnd) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return [start, whole()]
}

/** Stripe's customers, each with a list of cards. */
async function* readCustomers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRows> {
  let number = 0
  for await (const customers of readObjects(chunks)) {
    const rows = customers.flatMap((customer) => {
      const { cards = [] } = customer as { readonly cards?: unknown }
      if (!Array.isArray(cards)) return []
      return cards.map((card): FileRow => {
        number += 1
        const content = contentOf(
          columnsOfLayout('stripe'),
          mapped('stripe', getterOf({ ...customer, card }), number),
        )
        return { number, content, problem: null }
      })
    })
    yield { kind: 'cards', rows }
  }
}

function getterOf(object: object): Get {
  return (name) => {
    let value: unknown = object
    for (const part of name.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}

async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  layout: LayoutName | null,
): AsyncGenerator<FileRows> {
  let read: ((line: CsvLine) => FileRow) | undefined
  let kind: Kind = 'cards'
  try {
    for await (const lines of readCsv(chunks, LINE_LENGTH_MAX)) {
      if (!read) {
        const [first] = lines.splice(0, 1)
        if (!first) continue
        if ('problem' in first) throw new UnusableFile(`The header cannot be read: ${first.problem}.`)
        const header = first.fields.map((name) => name.trim())
        if (layout === null) kind = kindOf(header)
        const contentIn =
          layout === null ? (values: readonly string[]) => contentOf(header, values) : mapping(layout, header)
        read = (line) => rowOf(header.length, line, contentIn)
      }
      yield { kind, rows: lines.map(read) }
    }
  } catch (cause) {
    if (cause instanceof NotCsvError) throw new UnusableFile(cause.message, { cause })
    throw cause
  }
}

type ContentIn = (values: readonly string[], number: number) => Record<string, unknown>

/** Providers write the names of columns in small or in capital letters. Columns that we have no place for are passed over. */
function mapping(layout: LayoutName, header: readonly string[]): ContentIn {
  const places = new Map(header.map((name, at) => [name.toLowerCase(), at]))
  const missing = LAYOUTS[layout].marks.filter((name) => !places.has(name.toLowerCase()))
  if (missing.length > 0)
    throw new UnusableFile(
      `A file of ${layout} has the columns ${LAYOUTS[layout].marks.join(', ')}; this one lacks ${missing.join(', ')}.`,
    )
  const columns = columnsOfLayout(layout)
  return (values, number) => {
    const get: Get = (name) => values[places.get(name.toLowerCase()) ?? -1]?.trim() ?? ''
    return contentOf(columns, mapped(layout, get, number))
  }
}

function rowOf(columns: number, line: CsvLine, contentIn: ContentIn): FileRow {
  const { number } = line
  if ('problem' in line) return { number, content: { payment_method: {} }, problem: line.problem }
  const { fields } = line
  const content = contentIn(fields, number)
  if (fields.length === columns) return { number, content, problem: null }
  return { number, content, problem: `the row has ${fields.length} columns, and the header ${columns}` }
}
