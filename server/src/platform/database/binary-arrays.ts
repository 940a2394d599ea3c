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
  jsonb: (values: readonly object[]) => encode(JSONB, values.map(textOf)),
} as const

/** More rows than one request writes. For those, arrays do not pay. */
export function areMany(rows: readonly unknown[]): boolean {
  return rows.length > 20
}

export type ArrayType = keyof typeof arrayOf

/** The type of a column, and its values in many rows. */
export type Column = {
  [Type in ArrayType]: readonly [Type, Parameters<(typeof arrayOf)[Type]>[0]]
}[ArrayType]

/** Null if all values are: `unnest` fills a shorter array up. */
export function encodeColumn([type, values]: Column): Buffer | null {
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
const JSONB: Encoding<string> = {
  oid: 3802,
  roomFor: (value) => 1 + value.length * UTF8_MAX,
  write: ({ buffer, view }, value, at) => {
    view.setUint8(at, 1)
    return 1 + buffer.write(value, at + 1)
  },
}

function textOf(value: object): string {
  return JSON.stringify(value)
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
