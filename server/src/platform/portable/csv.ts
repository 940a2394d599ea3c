const LINE_LENGTH_MAX = 10_000

/** A line of a CSV file: its fields, or what is wrong with it. Numbers start at 1, as in editors. */
export type CsvLine =
  | { readonly number: number; readonly fields: readonly string[] }
  | { readonly number: number; readonly problem: string }

/** The file as a whole is unreadable, so it has no lines. */
export class NotCsvError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NotCsvError'
  }
}

/**
 * Reads UTF-8 text with commas, a chunk of lines at a time. Fields may be quoted (RFC 4180), but must not
 * contain line breaks: so a forgotten quote breaks only one line. Empty lines are skipped.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  lineLengthMax = LINE_LENGTH_MAX,
): AsyncGenerator<CsvLine[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let count = 0
  const take = (text: string): CsvLine[] =>
    text.split('\n').flatMap((line) => {
      count += 1
      const trimmed = line.endsWith('\r') ? line.slice(0, -1) : line
      return trimmed.trim() === '' ? [] : [{ number: count, ...readFields(trimmed) }]
    })
  for await (const chunk of chunks) {
    const text = rest + decode(decoder, chunk, count)
    const end = text.lastIndexOf('\n')
    rest = text.slice(end + 1)
    refuseUnreadable(text, rest, count, lineLengthMax)
    if (end >= 0) yield take(text.slice(0, end))
  }
  rest += decode(decoder, undefined, count)
  if (rest !== '') yield take(rest)
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array | undefined,
  line: number,
): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    const number = line + 1 + (chunk ? linesBeforeBrokenText(chunk) : 0)
    throw new NotCsvError(`Line ${number} is not UTF-8 text. Save the file as UTF-8.`, { cause })
  }
}

function linesBeforeBrokenText(chunk: Uint8Array): number {
  // A chunk may begin with the rest of a character from the previous one.
  const start = chunk.findIndex((byte) => byte < 0x80 || byte > 0xbf)
  const text = new TextDecoder('utf-8').decode(chunk.subarray(Math.max(start, 0)))
  // Without a broken character in it, the previous chunk ends within a character.
  return countLines(text.slice(0, Math.max(text.indexOf('\ufffd'), 0)))
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function refuseUnreadable(text: string, rest: string, line: number, lengthMax: number): void {
  if (text.includes('\0')) throw new NotCsvError('This is not a text file.')
  if (rest.length <= lengthMax) return
  throw new NotCsvError(`Line ${line + countLines(text) + 1} has more than ${lengthMax} characters.`)
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

function readFields(line: string): { readonly fields: string[] } | { readonly problem: string } {
  if (!line.includes('"')) return { fields: line.split(',') }
  const fields: string[] = []
  FIELD.lastIndex = 0
  for (;;) {
    const found = FIELD.exec(line)
    if (!found) return { problem: 'a quote is not closed, or stands inside a field' }
    const [, quoted, plain = '', end] = found
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') return { fields }
  }
}

/**
 * A spreadsheet takes a text that begins with one of these for a formula, and runs it. Some read the wide forms of these signs alike,
 * and where the comma is a decimal sign, a semicolon or a tab begins the next cell.
 */
const SUSPECT = /^[=+\-@\r＝＋－＠]|[",;\t\r\n]/
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const FORMULA_INSIDE = /([;\t])(?=[=+\-@＝＋－＠])/g
const NUMBER = /^-?\d+(?:[.]\d+)?$/
const BREAKING = /[",\r\n]/

/** A line of a CSV file (RFC 4180), with its end. An apostrophe before a formula makes it a text; numbers stay numbers. */
export function csvLine(fields: readonly (string | null)[]): string {
  let line = ''
  for (const field of fields) {
    // The comma before the first field is cut off below: to ask for the first each time would take longer.
    line += field === null ? ',' : `,${SUSPECT.test(field) ? written(field) : field}`
  }
  return `${line.slice(1)}\r\n`
}

function written(field: string): string {
  const masked = FORMULA.test(field) && !NUMBER.test(field) ? `'${field}` : field
  const safe = masked.replaceAll(FORMULA_INSIDE, "$1'")
  return BREAKING.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
