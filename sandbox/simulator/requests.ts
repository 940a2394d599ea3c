import { scenarioOf } from './fates.ts'

/** A malformed request. Names the field and never its value, which may be a card number. */
export class BadRequest extends Error {
  readonly field: string

  constructor(field: string) {
    super(`bad value in ${field}`)
    this.field = field
  }
}

/** The parts of a request that are read. */
export type Call = Pick<Request, 'url' | 'method' | 'headers' | 'signal' | 'json'>

/** Not a `Request`: making its streams and signals costs more than the rest of most calls. */
export function callOf(url: string, init: RequestInit = {}): Call {
  const { method = 'GET', headers, body = null, signal } = init
  const isPlain = (method === 'GET' && body === null) || (method === 'POST' && typeof body === 'string')
  if (!isPlain) return new Request(url, init)
  return {
    url,
    method,
    headers: new Headers(headers),
    signal: signal ?? new AbortController().signal,
    json: async () => JSON.parse(String(body).toWellFormed()),
  }
}

export type Attempt = {
  readonly attemptId: string
  readonly transactionId: string | null
  /** The merchant wants the answer `pending`, and a notification later. */
  readonly isAsynchronous: boolean
  /** The merchant wants notifications of chargebacks. */
  readonly areDisputesTold: boolean
  /** Why it is refused, whatever its amount: a lever says so. */
  readonly refusal?: string | null
}

export type Money = { readonly amount: number; readonly currency: string }

/** What is kept of a card: never the number, the code or a cryptogram. A token is compared and not kept either. */
export type Instrument = {
  readonly last4: string | null
  readonly securityCode: string | null
  readonly token: string | null
  /** Where the buyer returns after an approval. Null: the method needs none. */
  readonly returnUrl: string | null
  readonly presented: Presented
  /** What becomes of payments with it later. Null for most. */
  readonly scenario: string | null
}

/** What the merchant's system sent in the place of a card, for the books. */
export type Presented = {
  readonly type: string
  /** The wallet: of an opened token, or of one that is still encrypted. */
  readonly wallet: string | null
  readonly hasCryptogram: boolean
  readonly eci: string | null
}

export type AuthorizeRequest = Attempt &
  Money & {
    readonly isSale: boolean
    readonly isPartialAllowed: boolean
    readonly instrument: Instrument
    readonly postalCode: string | null
    readonly adviceCode: string | null
    readonly isRetriable: boolean
  }

export type SettleRequest = {
  readonly operation: 'authorize' | 'capture' | 'void' | 'refund' | 'payout'
  readonly outcome: 'succeeded' | 'declined' | 'failed'
  readonly reference: string
  readonly areDisputesTold: boolean
}

export type Body = Readonly<Record<string, unknown>>

export async function readBody(call: Call): Promise<Body> {
  const body: unknown = await call.json().catch(() => null)
  if (!isObject(body)) throw new BadRequest('body')
  return body
}

export function readAttempt(body: Body): Attempt {
  return {
    attemptId: readAttemptId(body['attempt_id']),
    transactionId: text(body, 'transaction_id', 100),
    isAsynchronous: flag(body, 'asynchronous'),
    areDisputesTold: flag(body, 'tell_disputes'),
  }
}

export function readAttemptId(value: unknown): string {
  if (typeof value !== 'string' || !/^[\w-]{1,100}$/.test(value)) throw new BadRequest('attempt_id')
  return value
}

export function readMoney(body: Body): Money {
  const { amount, currency } = body
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 0 || amount > 99_999_999) {
    throw new BadRequest('amount')
  }
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw new BadRequest('currency')
  return { amount, currency }
}

export function readAuthorization(body: Body): AuthorizeRequest {
  return {
    ...readAttempt(body),
    ...readMoney(body),
    isSale: flag(body, 'capture'),
    isPartialAllowed: flag(body, 'partial'),
    instrument: readInstrument(body),
    postalCode: text(body, 'postal_code', 50),
    adviceCode: text(body, 'advice_code', 100),
    isRetriable: !flag(body, 'do_not_retry'),
  }
}

/** A wallet's payload is not read: only the wallet and a real processor could open it. */
export function readInstrument(body: Body): Instrument {
  const { instrument } = body
  if (!isObject(instrument)) throw new BadRequest('instrument')
  const securityCode = text(instrument, 'security_code', 4)
  const other = {
    last4: null,
    securityCode,
    token: null,
    returnUrl: null,
    presented: readPresented(instrument),
    scenario: null,
  }
  if (instrument['type'] === 'wallet') return other
  if (instrument['type'] === 'token') return { ...other, token: readToken(instrument) }
  if (instrument['type'] === 'redirect') return { ...other, returnUrl: readReturnUrl(instrument) }
  const { number } = instrument
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number)) throw new BadRequest('instrument.number')
  if (!/^(0[1-9]|1[0-2])\/\d{2}$/.test(text(instrument, 'expiration_date', 5) ?? '')) {
    throw new BadRequest('instrument.expiration_date')
  }
  return { ...other, last4: number.slice(-4), scenario: scenarioOf(number) }
}

export function readToken(body: Body): string {
  const token = text(body, 'token', 200)
  if (token === null) throw new BadRequest('token')
  return token
}

function readReturnUrl(body: Body): string {
  const url = text(body, 'return_url', 20_000)
  if (url === null || !URL.canParse(url)) throw new BadRequest('instrument.return_url')
  return url
}

function readPresented(instrument: Body): Presented {
  return {
    type: text(instrument, 'type', 20) ?? '',
    wallet: text(instrument, 'wallet', 20) ?? text(instrument, 'card_source', 20),
    hasCryptogram: text(instrument, 'cryptogram', 200) !== null,
    eci: text(instrument, 'eci', 2),
  }
}

export function readSettlement(body: Body): SettleRequest {
  const { operation, outcome, reference } = body
  if (!isOneOf(operation, ['authorize', 'capture', 'void', 'refund', 'payout']))
    throw new BadRequest('operation')
  if (!isOneOf(outcome, ['succeeded', 'declined', 'failed'])) throw new BadRequest('outcome')
  if (typeof reference !== 'string') throw new BadRequest('reference')
  return { operation, outcome, reference, areDisputesTold: flag(body, 'tell_disputes') }
}

export function flag(body: Body, field: string): boolean {
  const value = body[field]
  if (value !== undefined && typeof value !== 'boolean') throw new BadRequest(field)
  return value ?? false
}

function text(body: Body, field: string, lengthMax: number): string | null {
  const value = body[field] ?? null
  if (value === null) return null
  // PostgreSQL cannot store a NUL character.
  if (typeof value !== 'string' || value.length > lengthMax || value.includes('\0'))
    throw new BadRequest(field)
  return value
}

/** The database refuses any other form. */
export function isReference(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

export function isOneOf<const Value extends string>(value: unknown, all: readonly Value[]): value is Value {
  return all.some((one) => one === value)
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
