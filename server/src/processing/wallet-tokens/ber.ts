import { RefusedToken } from './opened-token.ts'

/** One value of ASN.1. `children` is empty for a value that holds no others. */
export type Value = {
  /** The whole identifier: class, form and number. */
  readonly tag: number
  /** The content. For an indefinite length, without the end mark. */
  readonly content: Buffer
  /** The value as it was written, with tag and length. */
  readonly whole: Buffer
  readonly children: readonly Value[]
}

export const TAG = {
  integer: 0x02,
  octets: 0x04,
  objectId: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Context-specific and constructed, by number. */
  context: (number: number) => 0xa0 | number,
} as const

/** Certificates nest ten levels deep. A deeper value is no signature. */
const DEPTH_MAX = 16
const CONSTRUCTED = 0x20
const INDEFINITE = 0x80

/**
 * Reads one value in BER, the encoding of Apple's signatures: unlike DER, it allows lengths that are not known in advance.
 * Refuses bytes after the value, and tags above 30, which neither signatures nor certificates use.
 */
export function readBer(bytes: Buffer): Value {
  const { value, end } = readAt(bytes, 0, 0)
  return end === bytes.length ? value : refuse()
}

function readAt(
  bytes: Buffer,
  start: number,
  depth: number,
): { readonly value: Value; readonly end: number } {
  const tag = byteAt(bytes, start)
  if (depth > DEPTH_MAX || (tag & 0x1f) === 0x1f) refuse()
  const isConstructed = (tag & CONSTRUCTED) !== 0
  if (byteAt(bytes, start + 1) === INDEFINITE) {
    if (!isConstructed) refuse()
    const from = start + 2
    const { children, end } = readUntilEndMark(bytes, from, depth + 1)
    const value = { tag, content: bytes.subarray(from, end), whole: bytes.subarray(start, end + 2), children }
    return { value, end: end + 2 }
  }
  const { length, from } = lengthAt(bytes, start + 1)
  const end = from + length
  if (end > bytes.length) refuse()
  const content = bytes.subarray(from, end)
  const children = isConstructed ? readAll(content, depth + 1) : []
  return { value: { tag, content, whole: bytes.subarray(start, end), children }, end }
}

function readAll(bytes: Buffer, depth: number): Value[] {
  const children: Value[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = readAt(bytes, at, depth)
    children.push(value)
    at = end
  }
  return children
}

/** `end` is where the end mark, two zero bytes, begins. */
function readUntilEndMark(bytes: Buffer, from: number, depth: number) {
  const children: Value[] = []
  let at = from
  while (byteAt(bytes, at) !== 0) {
    const { value, end } = readAt(bytes, at, depth)
    children.push(value)
    at = end
  }
  if (byteAt(bytes, at + 1) !== 0) refuse()
  return { children, end: at }
}

function lengthAt(bytes: Buffer, at: number): { readonly length: number; readonly from: number } {
  const first = byteAt(bytes, at)
  if (first < 0x80) return { length: first, from: at + 1 }
  const count = first & 0x7f
  // Three bytes count up to 16 MB, more than a request may have.
  if (count > 3 || at + 1 + count > bytes.length) refuse()
  return { length: bytes.readUIntBE(at + 1, count), from: at + 1 + count }
}

function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? refuse()
}

/** An object identifier as text, such as `1.2.840.10045.4.3.2`. */
export function objectIdOf({ tag, content }: Value): string {
  if (tag !== TAG.objectId || content.length === 0) refuse()
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if (number > Number.MAX_SAFE_INTEGER / 128) refuse()
    if (byte < 0x80) {
      numbers.push(number)
      number = 0
    }
  }
  const [first = 0, ...others] = numbers
  const root = Math.min(Math.trunc(first / 40), 2)
  return [root, first - root * 40, ...others].join('.')
}

/** A time in one of the two forms of ASN.1, in UTC and with seconds. */
export function timeOf({ tag, content }: Value): Date {
  const text = content.toString('latin1')
  const isShort = tag === TAG.utcTime && /^\d{12}Z$/.test(text)
  if (!isShort && !(tag === TAG.generalizedTime && /^\d{14}Z$/.test(text))) refuse()
  // Two digits of a year mean 1950 to 2049.
  const full = isShort ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const time = new Date(full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return Number.isNaN(time.getTime()) ? refuse() : time
}

function refuse(): never {
  throw new RefusedToken('unreadable', 'its signature cannot be read')
}
