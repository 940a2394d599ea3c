import pg from 'pg'

/** A column of rows to come, as the driver tells it. */
export type Column = { readonly name: string; readonly dataTypeID: number }

type Row = Readonly<Record<string, unknown>>
type Read = (values: readonly (string | null)[]) => Row

/** Makes objects of rows that have these columns. */
export type RowReader = { readonly columns: readonly Column[]; readonly read: Read }

/** A few hundred are in use. Lists of columns that are put together at run time may not fill the memory. */
const READERS_MAX = 2_000
const readers = new Map<string, RowReader>()

/**
 * The reader of rows with these columns, which is mostly the one that read the last rows of the statement. The driver's own one
 * makes an empty object and sets its fields one by one, by name: for a row of 40 columns it takes five times as long.
 */
export function readerFor(columns: readonly Column[], last: RowReader | undefined): RowReader {
  if (last && areSame(columns, last.columns)) return last
  const signature = columns.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join('\n')
  const reader = readers.get(signature) ?? { columns, read: compile(columns) }
  if (readers.size >= READERS_MAX) readers.clear()
  readers.set(signature, reader)
  return reader
}

function areSame(some: readonly Column[], others: readonly Column[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at += 1) {
    const [one, other] = [some[at], others[at]]
    if (one?.dataTypeID !== other?.dataTypeID || one?.name !== other?.name) return false
  }
  return true
}

/** A function with one object literal, so that all its rows have one shape. Names are those of our own statements. */
function compile(columns: readonly Column[]): Read {
  const parsers = columns.map(({ dataTypeID }) => TYPES.getTypeParser(dataTypeID, 'text'))
  const names = parsers.map((_parser, at) => `read${at}`)
  const fields = columns.map(
    ({ name }, at) => `${JSON.stringify(name)}: values[${at}] === null ? null : read${at}(values[${at}])`,
  )
  return new Function(...names, `return (values) => ({ ${fields.join(', ')} })`)(...parsers)
}

const TEXT_ARRAY_OID: number = 1009

/** How columns are read. Text arrays have their own parser, because each payment reads 400 words of them. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format === 'binary') return pg.types.getTypeParser(oid, format)
    if (oid === TIME_OID) return readTime
    return oid === TEXT_ARRAY_OID ? readWords : pg.types.getTypeParser(oid, format)
  },
}

const readArray = pg.types.getTypeParser(TEXT_ARRAY_OID, 'text')
/** Long arrays are lists of countries and currencies, the same for most rows. They are read once. */
const LONG = 200
const KEPT_MAX = 200
const longArrays = new Map<string, readonly string[]>()

function readWords(text: string): readonly string[] {
  if (text.length < LONG) return splitWords(text)
  const known = longArrays.get(text)
  if (known) return known
  // Frozen, because many rows share it.
  const words = Object.freeze(splitWords(text))
  if (longArrays.size >= KEPT_MAX) longArrays.clear()
  longArrays.set(text, words)
  return words
}

/** The driver reads arrays with quoted words and nulls. */
function splitWords(text: string): string[] {
  const isPlain = text !== '{}' && !text.includes('"') && !text.includes('NULL') && !text.includes('{', 1)
  return isPlain ? text.slice(1, -1).split(',') : readArray(text)
}

export const TIME_OID = 1184
const readAny = pg.types.getTypeParser(TIME_OID, 'text')

/** The only form of a time from year 1000 to 9999 in UTC, with no fraction or one of up to six digits. */
const LENGTH_MIN = '2026-01-31 10:20:30+00'.length
const [ZERO, SPACE] = [48, 32]

/**
 * Reads `2026-01-31 10:20:30.123456+00`. A list reads a hundred times, and the driver's reader, which knows all forms, takes
 * more than twice as long. It reads all others: other zones, years before Christ and `infinity`.
 */
export function readTime(text: string): Date {
  const isUsual =
    text.length >= LENGTH_MIN &&
    text.charCodeAt(10) === SPACE &&
    text.charCodeAt(0) !== ZERO &&
    text.endsWith('+00')
  if (!isUsual) return readAny(text)
  const year = two(text, 0) * 100 + two(text, 2)
  const [hours, minutes, seconds] = [two(text, 11), two(text, 14), two(text, 17)]
  return new Date(Date.UTC(year, two(text, 5) - 1, two(text, 8), hours, minutes, seconds, milliseconds(text)))
}

function two(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO
}

/** The first three digits behind the point. The database leaves zeros at the end out. */
function milliseconds(text: string): number {
  const end = text.length - 3
  let sum = 0
  for (let at = 20, unit = 100; at < end && unit >= 1; at += 1, unit /= 10) {
    sum += (text.charCodeAt(at) - ZERO) * unit
  }
  return sum
}
