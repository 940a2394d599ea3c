/**
 * Many values of one column as one value of a statement, in PostgreSQL's binary form. Hundreds of rows then cost the
 * database half of what it takes to read them as JSON, and this process a third of what it takes to write that (ADR 170).
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
  readonly sizeOf: (value: Value) => number
  /** Writes the value at a place where it has room. */
  readonly write: (buffer: Buffer, value: Value, at: number) => void
}

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL = -1
const TWO_32 = 2 ** 32
/** Times count from here, in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

const UUID: Encoding<string> = {
  oid: 2950,
  sizeOf: () => 16,
  write: (buffer, value, at) => {
    if (buffer.write(value.replaceAll('-', ''), at, 16, 'hex') !== 16) throw new Error('a value is no UUID')
  },
}
const TEXT: Encoding<string> = {
  oid: 25,
  sizeOf: (value) => Buffer.byteLength(value),
  write: (buffer, value, at) => void buffer.write(value, at),
}
const BOOLEAN: Encoding<boolean> = {
  oid: 16,
  sizeOf: () => 1,
  write: (buffer, value, at) => void buffer.writeUInt8(value ? 1 : 0, at),
}
const INTEGER: Encoding<number> = {
  oid: 23,
  sizeOf: () => 4,
  write: (buffer, value, at) => void buffer.writeInt32BE(value, at),
}
const BIGINT: Encoding<number | string> = {
  oid: 20,
  sizeOf: () => 8,
  write: (buffer, value, at) => writeWhole(buffer, Number(value), at),
}
const FLOAT8: Encoding<number> = {
  oid: 701,
  sizeOf: () => 8,
  write: (buffer, value, at) => void buffer.writeDoubleBE(value, at),
}
const TIMESTAMPTZ: Encoding<Date> = {
  oid: 1184,
  sizeOf: () => 8,
  // As microseconds, times after the year 2285 are too large for exact numbers.
  write: (buffer, value, at) => void buffer.writeBigInt64BE(BigInt(value.getTime() - EPOCH_MS) * 1_000n, at),
}
const JSONB: Encoding<string> = {
  oid: 3802,
  sizeOf: (value) => 1 + Buffer.byteLength(value),
  write: (buffer, value, at) => {
    buffer.writeUInt8(1, at)
    buffer.write(value, at + 1)
  },
}

function textOf(value: object): string {
  return JSON.stringify(value)
}

function writeWhole(buffer: Buffer, value: number, at: number): void {
  if (!Number.isSafeInteger(value)) throw new Error('a number is not whole, or too large to be exact')
  const high = Math.floor(value / TWO_32)
  buffer.writeInt32BE(high, at)
  buffer.writeUInt32BE(value - high * TWO_32, at + 4)
}

function encode<Value>(encoding: Encoding<Value>, values: readonly (Value | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? NULL : encoding.sizeOf(value)))
  const bytes = sizes.reduce((sum, size) => sum + LENGTH_BYTES + Math.max(size, 0), HEADER_BYTES)
  const buffer = Buffer.allocUnsafe(bytes)
  const hasNulls = sizes.includes(NULL)
  const header = [1, hasNulls ? 1 : 0, encoding.oid, values.length, 1]
  for (const [place, field] of header.entries()) buffer.writeInt32BE(field, place * 4)
  let at = HEADER_BYTES
  values.forEach((value, place) => {
    const size = sizes[place] ?? NULL
    buffer.writeInt32BE(size, at)
    at += LENGTH_BYTES
    if (value === null) return
    encoding.write(buffer, value, at)
    at += size
  })
  return buffer
}
