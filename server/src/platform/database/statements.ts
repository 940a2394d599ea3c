import {
  CompiledQuery,
  type Expression,
  type Insertable,
  type QueryResult,
  type RawNode,
  type Selectable,
  type Updateable,
  type ValueNode,
} from 'kysely'
import type pg from 'pg'
import type { Db, Tables } from './db.ts'

/**
 * A statement of fixed text with values between its parts, for the path of every payment. A query builder makes a tree of
 * each statement and walks it, which takes longer than the database needs for some of them. Here each text is made once.
 */
export class Statement implements Expression<unknown> {
  /** One more than there are values. The same statement always has the very same list. */
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }

  /** The same statement with more text, such as ` returning id`, at its end. */
  followedBy(end: string): Statement {
    const known = ends.get(this.texts) ?? new Map<string, readonly string[]>()
    ends.set(this.texts, known)
    const texts = known.get(end) ?? [...this.texts.slice(0, -1), `${this.texts.at(-1)}${end}`]
    known.set(end, texts)
    return new Statement(texts, this.values)
  }

  execute<Row = unknown>(db: Db): Promise<QueryResult<Row>> {
    const text = whole.get(this.texts) ?? numbered(this.texts, 0)
    whole.set(this.texts, text)
    return executeText(db, text, this.values)
  }

  get expressionType(): undefined {
    return undefined
  }

  toOperationNode(): RawNode {
    const parameters = this.values.map((value): ValueNode => ({ kind: 'ValueNode', value }))
    return { kind: 'RawNode', sqlFragments: this.texts, parameters }
  }
}

const ends = new WeakMap<readonly string[], Map<string, readonly string[]>>()
const whole = new WeakMap<readonly string[], string>()

/** A statement as a template. Only values may stand in it: a table or a column is part of its text. */
export function statement(texts: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  return new Statement(texts, values)
}

/** The text as PostgreSQL reads it. `before` values come before its own. */
export function numbered(texts: readonly string[], before: number): string {
  return texts.map((text, at) => (at === 0 ? text : `$${before + at}${text}`)).join('')
}

const pools = new WeakMap<Db, pg.Pool>()

/** Statements of fixed text go to the pool of their handle at once. The query builder would make ten promises for each. */
export function knowPool(db: Db, pool: pg.Pool): void {
  pools.set(db, pool)
}

/** Undefined: the handle is one connection, for example that of a transaction. */
export function poolOf(db: Db): pg.Pool | undefined {
  return pools.get(db)
}

export function executeText<Row>(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  const pool = pools.get(db)
  return pool
    ? executeOn(pool, text, values.map(plain))
    : db.executeQuery<Row>(CompiledQuery.raw(text, values.map(plain)))
}

export async function executeOn<Row>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<QueryResult<Row>> {
  const client = await pool.connect()
  try {
    const { rows, rowCount } = await client.query(text, values)
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  } finally {
    client.release()
  }
}

/** The driver writes a time in the zone of the process, part by part, which takes ten times as long. */
function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

export function insertInto<Table extends keyof Tables>(
  table: Table,
  row: Insertable<Tables[Table]>,
): Statement {
  const given = namesIn(row)
  const texts = kept(`insert ${table}`, given, () => [
    ...given.map((_name, at) => (at === 0 ? `${beginning(table, given)} values (` : ', ')),
    ')',
  ])
  return new Statement(
    texts,
    given.map((name) => row[name as keyof typeof row]),
  )
}

/**
 * Inserts rows in their order. All have the same columns. Several rows are one value of the statement, so that its text
 * is the same for any number of them: each text is prepared and kept on every connection. Values of `json` columns are
 * objects, not texts; columns of bytes are not supported.
 */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Statement {
  const [first, ...others] = rows
  if (!first) throw new Error(`there is no row to insert into ${table}`)
  if (others.length === 0) return insertInto(table, first)
  const given = namesIn(first)
  const texts = kept(`rows ${table}`, given, () => {
    const columns = given.map(quoted).join(', ')
    const from = `from json_populate_recordset(null::${quoted(table)}, `
    return [`${beginning(table, given)} select ${columns} ${from}`, '::json)']
  })
  return new Statement(texts, [JSON.stringify(rows)])
}

/** Rows, column by column: those whose value is the same in all rows, with its type, and those whose values differ. */
type Columns<Table extends keyof Tables> = {
  readonly same: { readonly [Name in keyof Insertable<Tables[Table]>]?: readonly [ArrayType, unknown] }
  readonly each: { readonly [Name in keyof Insertable<Tables[Table]>]?: Column }
}

/**
 * Inserts hundreds of rows in their order, for the price of a few values and one array for each other column. At least one
 * column has a value in every row. The arrays are taken apart beside each other, in the list of what is selected: behind `from`,
 * PostgreSQL would write each of them to a store of its own first.
 */
export function insertColumns<Table extends keyof Tables>(
  table: Table,
  { same, each }: Columns<Table>,
): Statement {
  const alike = Object.entries(same) as [string, readonly [ArrayType, unknown]][]
  const differing = Object.entries(each) as [string, Column][]
  const names = [...alike, ...differing].map(([name]) => name)
  const texts = kept(`columns ${table} ${alike.length}`, names, () => {
    const ends = [...alike.map(([, [type]]) => `::${type}`), ...differing.map(([, [type]]) => `::${type}[])`)]
    const starts = names.map((_name, at) => `${at === 0 ? '' : ', '}${at < alike.length ? '' : 'unnest('}`)
    return [
      `${beginning(table, names)} select ${starts[0] ?? ''}`,
      ...ends.map((end, at) => `${end}${starts[at + 1] ?? ''}`),
    ]
  })
  return new Statement(texts, [
    ...alike.map(([, [, value]]) => value),
    ...differing.map(([, column]) => encodeColumn(column)),
  ])
}

function beginning(table: string, columns: readonly string[]): string {
  return `insert into ${quoted(table)} (${columns.map(quoted).join(', ')})`
}

/**
 * Updates the rows that have all these values. A missing value is an error: it would update more rows than
 * meant.
 */
export function updateTable<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): Statement {
  const [set, held] = [namesIn(change), namesIn(where)]
  if (held.length === 0 || held.length < Object.keys(where).length) {
    throw new Error(`an update of ${table} does not say which rows`)
  }
  const texts = kept(`update ${table} ${set.length}`, [...set, ...held], () => [
    ...set.map((name, at) => `${at === 0 ? `update ${quoted(table)} set ` : ', '}${quoted(name)} = `),
    ...held.map((name, at) => `${at === 0 ? ' where ' : ' and '}${quoted(name)} = `),
    '',
  ])
  const values = [
    ...set.map((name) => change[name as keyof typeof change]),
    ...held.map((name) => where[name as keyof typeof where]),
  ]
  return new Statement(texts, values)
}

/** The same for `writeOrFail`: it returns the changed rows. */
export function updateReturning<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): Statement {
  return updateTable(table, change, where).followedBy(' returning 1')
}

type Shape = { readonly names: readonly string[]; readonly texts: readonly string[] }

/** The texts of statements that were made before, by what they do. There are as many as there are places in the code. */
const made = new Map<string, Shape[]>()

function kept(what: string, names: readonly string[], make: () => readonly string[]): readonly string[] {
  const shapes = made.get(what) ?? []
  const known = shapes.find((shape) => areSame(shape.names, names))
  if (known) return known.texts
  const texts = make()
  made.set(what, [...shapes, { names, texts }])
  return texts
}

/** Names are compared one by one: to join them, and look up the long text, takes several times as long. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, at) => name === others[at])
}

function namesIn(values: object): string[] {
  return Object.keys(values).filter((name) => values[name as keyof typeof values] !== undefined)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Many values of one column as one value of a statement, in PostgreSQL's binary form. Hundreds of rows then cost the
 * database half of what it takes to read them as JSON, and this process a third of what it takes to write that (docs/decisions/speed.md).
 * The statement names the type: `unnest(${arrayOf.uuid(ids)}::uuid[])`.
 */
export const arrayOf = {
  uuid: (values: readonly (string | null)[]) => encode(UUID, values),
  text: (values: readonly (string | null)[]) => encode(TEXT, values),
  boolean: (values: readonly (boolean | null)[]) => encode(BOOLEAN, values),
  integer: (values: readonly (number | null)[]) => encode(INTEGER, values),
  /** Whole numbers that a double holds exactly, or their digits. */
  bigint: (values: readonly (number | string | null)[]) => encode(BIGINT, values),
  float8: (values: readonly (number | null)[]) => encode(FLOAT8, values),
  timestamptz: (values: readonly (Date | null)[]) => encode(TIMESTAMPTZ, values),
  /** Days, such as 2030-12-31. */
  date: (values: readonly (string | null)[]) => encode(DATE, values),
  bytea: (values: readonly (Uint8Array | null)[]) => encode(BYTEA, values),
  jsonb: (values: readonly (object | null)[]) => encode(JSONB, values.map(textOf)),
} as const

/** More rows than one request writes. For those, arrays do not pay. */
export function areMany(rows: readonly unknown[]): boolean {
  return rows.length > 20
}

type ArrayType = keyof typeof arrayOf

/** The type of a column, and its values in many rows. */
type Column = {
  [Type in ArrayType]: readonly [Type, Parameters<(typeof arrayOf)[Type]>[0]]
}[ArrayType]

/** Null if all values are: `unnest` fills a shorter array up. */
function encodeColumn([type, values]: Column): Buffer | null {
  return values.every((value) => value === null) ? null : arrayOf[type](values as never)
}

type Encoding<Value> = {
  /** PostgreSQL's number of the type. */
  readonly oid: number
  /** How many bytes a value has at most. */
  readonly roomFor: (value: Value) => number
  /** Writes the value at a place where it has room. Returns how many bytes it has. */
  readonly write: (to: Place, value: Value, at: number) => number
}

/** The bytes of an array. A view writes numbers several times as fast as a buffer does. */
type Place = { readonly buffer: Buffer; readonly view: DataView }

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL = -1
/** Of one unit of a text, in bytes. */
const UTF8_MAX = 3
const TWO_32 = 2 ** 32
/** Times count from here, in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000
/** 2030-12-31 */
const DAY_LENGTH = 10

const UUID: Encoding<string> = {
  oid: 2950,
  roomFor: () => 16,
  write: ({ view }, value, at) => {
    writeUuid(view, value, at)
    return 16
  },
}
const TEXT: Encoding<string> = {
  oid: 25,
  roomFor: (value) => value.length * UTF8_MAX,
  write: ({ buffer }, value, at) => buffer.write(value, at),
}
const BOOLEAN: Encoding<boolean> = {
  oid: 16,
  roomFor: () => 1,
  write: ({ view }, value, at) => {
    view.setUint8(at, value ? 1 : 0)
    return 1
  },
}
const INTEGER: Encoding<number> = {
  oid: 23,
  roomFor: () => 4,
  write: ({ view }, value, at) => {
    // A view would write a part of it.
    if ((value | 0) !== value) throw new Error('a number is no integer')
    view.setInt32(at, value)
    return 4
  },
}
const BIGINT: Encoding<number | string> = {
  oid: 20,
  roomFor: () => 8,
  write: ({ view }, value, at) => writeWhole(view, Number(value), at),
}
const FLOAT8: Encoding<number> = {
  oid: 701,
  roomFor: () => 8,
  write: ({ view }, value, at) => {
    view.setFloat64(at, value)
    return 8
  },
}
const TIMESTAMPTZ: Encoding<Date> = {
  oid: 1184,
  roomFor: () => 8,
  write: ({ view }, value, at) => {
    const ms = value.getTime() - EPOCH_MS
    if (Number.isSafeInteger(ms * 1_000)) return writeWhole(view, ms * 1_000, at)
    // As microseconds, times after the year 2285 are too large for exact numbers.
    view.setBigInt64(at, BigInt(ms) * 1_000n)
    return 8
  },
}
const DATE: Encoding<string> = {
  oid: 1082,
  roomFor: () => 4,
  write: ({ view }, value, at) => {
    const days = (Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS
    if (value.length !== DAY_LENGTH || !Number.isInteger(days)) throw new Error('a value is no day')
    view.setInt32(at, days)
    return 4
  },
}
const BYTEA: Encoding<Uint8Array> = {
  oid: 17,
  roomFor: (value) => value.length,
  write: ({ buffer }, value, at) => {
    buffer.set(value, at)
    return value.length
  },
}
const JSONB: Encoding<string> = {
  oid: 3802,
  roomFor: (value) => 1 + value.length * UTF8_MAX,
  write: ({ buffer, view }, value, at) => {
    view.setUint8(at, 1)
    return 1 + buffer.write(value, at + 1)
  },
}

function textOf(value: object | null): string | null {
  return value && JSON.stringify(value)
}

function writeWhole(view: DataView, value: number, at: number): number {
  if (!Number.isSafeInteger(value)) throw new Error('a number is not whole, or too large to be exact')
  const high = Math.floor(value / TWO_32)
  view.setInt32(at, high)
  view.setUint32(at + 4, value - high * TWO_32)
  return 8
}

/** Where a UUID has its pairs of digits. Between them are dashes. */
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const
const UUID_LENGTH = 36
/** The values of hexadecimal digits, by the codes of their characters. Other characters have -1. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
)

/** Digit by digit. To make a text without dashes first would take three times as long. */
function writeUuid(view: DataView, value: string, at: number): void {
  let isUuid = value.length === UUID_LENGTH && hasDashes(value)
  for (let pair = 0; isUuid && pair < PAIRS.length; pair += 1) {
    const place = PAIRS[pair] ?? 0
    const high = DIGITS[value.charCodeAt(place)] ?? -1
    const low = DIGITS[value.charCodeAt(place + 1)] ?? -1
    isUuid = high >= 0 && low >= 0
    view.setUint8(at + pair, high * 16 + low)
  }
  if (!isUuid) throw new Error('a value is no UUID')
}

function hasDashes(value: string): boolean {
  return value[8] === '-' && value[13] === '-' && value[18] === '-' && value[23] === '-'
}

/** Texts are written once, into more room than they need: to count their bytes first would take as long again. */
function encode<Value>({ oid, roomFor, write }: Encoding<Value>, values: readonly (Value | null)[]): Buffer {
  let room = HEADER_BYTES + values.length * LENGTH_BYTES
  for (const value of values) if (value !== null) room += roomFor(value)
  const buffer = Buffer.allocUnsafe(room)
  const view = new DataView(buffer.buffer, buffer.byteOffset, room)
  const to = { buffer, view }
  let hasNulls = 0
  let at = HEADER_BYTES
  for (const value of values) {
    const size = value === null ? NULL : write(to, value, at + LENGTH_BYTES)
    if (size === NULL) hasNulls = 1
    view.setInt32(at, size)
    at += LENGTH_BYTES + Math.max(size, 0)
  }
  const header = [1, hasNulls, oid, values.length, 1]
  for (const [place, field] of header.entries()) view.setInt32(place * 4, field)
  return buffer.subarray(0, at)
}
