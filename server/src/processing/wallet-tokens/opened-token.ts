import type { Masked } from '#vault'

/** What a wallet's token holds, once it is verified and opened. */
export type OpenedToken = {
  readonly instrument: OpenedInstrument
  /** Recognises the token, so that it pays once. The same for every copy of the token. */
  readonly digest: string
  /** From then on the token is refused for its age, so that its digest can be forgotten. */
  readonly expiresAt: Date
  /** What the buyer has agreed to pay. Null if the wallet does not say. */
  readonly agreed: { readonly amount: number; readonly currencyNumber: string } | null
  readonly cardholderName: string | null
  readonly assurance: Assurance | null
}

export type OpenedInstrument =
  /** A number of the device, with a proof for this payment. */
  | {
      readonly kind: 'network-token'
      readonly number: Masked
      /** MM/YY */
      readonly expirationDate: string
      readonly cryptogram: Masked
      readonly eci: string | null
    }
  /** The number of the card itself, without a proof. */
  | { readonly kind: 'card'; readonly number: Masked; readonly expirationDate: string }

export type Assurance = {
  readonly isAccountVerified: boolean | null
  readonly isCardHolderAuthenticated: boolean | null
}

/** Why a wallet's token is not accepted. */
export type Refusal =
  | 'unreadable'
  | 'unsupported'
  | 'wrong-signature'
  | 'expired'
  | 'wrong-key'
  | 'other-merchant'

/** A wallet's token that is not accepted. The message completes "the token is refused:", and repeats no part of the token. */
export class RefusedToken extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, message: string) {
    super(message)
    this.name = 'RefusedToken'
    this.refusal = refusal
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Reads fields of JSON that came from outside. Anything but the expected form is refused by the name of its field. */
export function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) unreadable(name, 'an object')
  return value as Fields
}

/** The same for JSON in a text. */
export function fieldsInText(text: string, name: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    unreadable(name, 'JSON')
  }
  return fieldsOf(value, name)
}

export function textOf(fields: Fields, name: string, form = /^/): string {
  const value = fields[name]
  return typeof value === 'string' && form.test(value) ? value : unreadable(name, 'a text of its form')
}

/** The same for a field that may be missing. */
export function optionalTextOf(fields: Fields, name: string, form = /^/): string | null {
  return fields[name] === undefined || fields[name] === null ? null : textOf(fields, name, form)
}

export function integerOf(fields: Fields, name: string): number {
  const value = fields[name]
  return Number.isSafeInteger(value) && Number(value) >= 0
    ? Number(value)
    : unreadable(name, 'a whole number')
}

/** A time in milliseconds, which Google writes as text. */
export function timeInMs(fields: Fields, name: string): Date {
  const time = new Date(Number(textOf(fields, name, /^\d{1,16}$/)))
  return Number.isNaN(time.getTime()) ? unreadable(name, 'a time') : time
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const HEX = /^[0-9A-Fa-f]+$/

/** Four times what any part of a real token has. Reading a signature takes time by its length. */
const LENGTH_MAX = 16_384

export function bytesOf(fields: Fields, name: string): Buffer {
  const text = textOf(fields, name, BASE64)
  return text.length <= LENGTH_MAX
    ? Buffer.from(text, 'base64')
    : unreadable(name, 'as short as it has to be')
}

export function hexBytesOf(fields: Fields, name: string, length: number): Buffer {
  const value = fields[name]
  return typeof value === 'string' && value.length === 2 * length && HEX.test(value)
    ? Buffer.from(value, 'hex')
    : unreadable(name, `${length} bytes in hexadecimal digits`)
}

function unreadable(name: string, form: string): never {
  throw new RefusedToken('unreadable', `its ${name} is not ${form}`)
}
