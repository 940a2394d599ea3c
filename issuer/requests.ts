import type { Credentials } from './programs.ts'
import type { Money } from './rules.ts'

/** A malformed request. Names the field and never its value, which may be a number or a PIN. */
export class BadRequest extends Error {
  readonly field: string

  constructor(field: string) {
    super(`bad value in ${field}`)
    this.field = field
  }
}

const KEY_LENGTH_MIN = 16
const AMOUNT_MAX = 99_999_999
const VALID_MONTHS_MAX = 600

export type Body = Readonly<Record<string, unknown>>

/** `weak_key`: too short to be safe from guessing. */
export function readCredentials(headers: Headers): Credentials | 'missing' | 'weak_key' {
  const name = decoded(headers.get('x-program'))
  const key = decoded(headers.get('x-program-key'))
  if (name === '' || key === '' || name.length > 200 || name.includes('\0')) return 'missing'
  return key.length < KEY_LENGTH_MIN ? 'weak_key' : { name, key }
}

export async function readBody(request: Request): Promise<Body> {
  const body: unknown = await request.json().catch(() => null)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new BadRequest('body')
  return body as Body
}

export function readAttempt(body: Body): {
  readonly attemptId: string
  readonly transactionId: string | null
} {
  return {
    attemptId: readAttemptId(body, 'attempt_id'),
    transactionId: readText(body, 'transaction_id', 100),
  }
}

export function readAttemptId(body: Body, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || !/^[\w-]{1,100}$/.test(value)) throw new BadRequest(field)
  return value
}

export function readMoney({ amount, currency }: Body): Money {
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 0 || amount > AMOUNT_MAX) {
    throw new BadRequest('amount')
  }
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw new BadRequest('currency')
  return { amount, currency }
}

export function readMoneyOrNull(body: Body): Money | null {
  return (body['amount'] ?? null) === null && (body['currency'] ?? null) === null ? null : readMoney(body)
}

/** Checks the form only, not that there is such a card. */
export function readCard({ number, pin = null }: Body): {
  readonly number: string
  readonly pin: string | null
} {
  if (typeof number !== 'string' || !/^\d{1,30}$/.test(number)) throw new BadRequest('number')
  if (pin !== null && (typeof pin !== 'string' || pin.length > 1000)) throw new BadRequest('pin')
  return { number, pin }
}

export function readValidMonths({ valid_months: months }: Body): number {
  if (typeof months !== 'number' || !Number.isInteger(months) || months < 1 || months > VALID_MONTHS_MAX) {
    throw new BadRequest('valid_months')
  }
  return months
}

export function readText(body: Body, field: string, lengthMax: number): string | null {
  const value = body[field] ?? null
  if (value === null) return null
  // PostgreSQL cannot store a NUL character.
  if (typeof value !== 'string' || value.length > lengthMax || value.includes('\0'))
    throw new BadRequest(field)
  return value
}

/** The database refuses any other form. */
export function readId(body: Body, field: string): string | null {
  const value = readText(body, field, 100)
  if (value !== null && !isId(value)) throw new BadRequest(field)
  return value
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** Names may have characters that headers cannot hold. */
function decoded(header: string | null): string {
  try {
    return decodeURIComponent(header ?? '')
  } catch {
    return ''
  }
}
