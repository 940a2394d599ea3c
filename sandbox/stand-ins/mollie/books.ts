import { randomBytes } from 'node:crypto'

export type Body = Readonly<Record<string, unknown>>
export type Reply = { readonly status: number; readonly body: object | null }
/** In the smallest unit that Mollie counts. */
export type Sum = { readonly minor: number; readonly currency: string }

/** An error as Mollie answers it. */
export class Refusal extends Error {
  readonly status: number
  readonly field: string | null

  constructor(status: number, detail: string, field: string | null = null) {
    super(detail)
    this.status = status
    this.field = field
  }
}

type Movement = {
  readonly kind: 'payment' | 'capture' | 'refund' | 'release' | 'cancel'
  readonly key: string | null
  readonly payment: string
  readonly value: string
}

/** A capture or a refund. */
export type Act = {
  readonly id: string
  readonly sum: Sum
  readonly asked: Body
  readonly createdAt: Date
  status: string
}
type Chargeback = { readonly id: string; readonly createdAt: Date; reversedAt: Date | null }

export type Payment = {
  readonly id: string
  readonly key: string | null
  readonly asked: Body
  readonly sum: Sum
  readonly createdAt: Date
  readonly expiresAt: Date
  status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
  failureReason: string | null
  /** When it became what it is, by the name of the field. */
  readonly times: Record<string, Date>
  readonly captures: Act[]
  readonly refunds: Act[]
  readonly chargebacks: Chargeback[]
}

export type Message = { readonly url: string; readonly body: string }

/** The payments of one website profile, and the messages about them. */
export class Books {
  readonly payments = new Map<string, Payment>()
  readonly movements: Movement[] = []
  readonly waiting: Message[] = []
  readonly now: () => Date

  constructor(now: () => Date) {
    this.now = now
  }

  find(id: string): Payment {
    const found = this.payments.get(id)
    if (!found) throw new Refusal(404, `No payment exists with token ${id}.`)
    return found
  }

  move(kind: Movement['kind'], payment: Payment, { key, sum }: { key: string | null; sum: Sum }): void {
    this.movements.push({ kind, key, payment: payment.id, value: textOf(sum) })
  }

  /** Mollie says that something has changed, and not what. */
  tell({ id, asked }: Payment): void {
    if (typeof asked['webhookUrl'] === 'string')
      this.waiting.push({ url: asked['webhookUrl'], body: `id=${id}` })
  }

  end(payment: Payment, status: Payment['status'], field: string): void {
    payment.status = status
    payment.times[field] = this.now()
    this.tell(payment)
  }
}

/** Ids of Mollie have about as many signs. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x')}`
}

const WITHOUT_DECIMALS = ['ISK', 'JPY']

export function readSum(given: unknown, field: string): Sum {
  if (given === undefined) throw new Refusal(422, `The ${field} is missing`, field)
  const { currency, value } = isObject(given) ? given : {}
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new Refusal(422, 'The amount contains an invalid currency', `${field}.currency`)
  }
  const pattern = WITHOUT_DECIMALS.includes(currency) ? /^-?\d+$/ : /^-?\d+\.\d\d$/
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new Refusal(422, 'The amount contains an invalid value', `${field}.value`)
  }
  return { minor: Number(value.replace('.', '')), currency }
}

export function toAmount(sum: Sum): object {
  return { currency: sum.currency, value: textOf(sum) }
}

export function textOf({ minor, currency }: Sum): string {
  return WITHOUT_DECIMALS.includes(currency) ? String(minor) : (minor / 100).toFixed(2)
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
