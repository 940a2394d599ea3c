import { randomBytes } from 'node:crypto'

export type Body = Readonly<Record<string, unknown>>

/** An error as GoCardless answers it. */
export class Refusal extends Error {
  readonly status: number
  readonly reason: string
  readonly field: string | null
  readonly before: string | null

  constructor(status: number, reason: string, field: string | null = null, before: string | null = null) {
    super(reason)
    this.status = status
    this.reason = reason
    this.field = field
    this.before = before
  }
}

/** What the buyer decides on the page, and what the bank does later. */
export const DECISIONS = ['approve', 'refuse', 'return', 'cancel'] as const
export type Decision = (typeof DECISIONS)[number]

export type BillingRequest = {
  readonly id: string
  readonly asked: Body
  readonly createdAt: Date
  status: 'pending' | 'fulfilled' | 'cancelled'
  decision: Decision | null
  mandate: string | null
  payment: string | null
}

/** Active, until it is cancelled. */
export type Mandate = {
  readonly id: string
  readonly request: BillingRequest
  readonly createdAt: Date
  status: 'active' | 'cancelled'
}

export type Payment = {
  readonly id: string
  readonly asked: Body
  readonly scheme: string
  readonly mandate: string | null
  readonly amount: number
  readonly currency: string
  readonly createdAt: Date
  /** What the bank will do, as the buyer has chosen. */
  readonly fate: Decision
  status: string
}

export type Refund = {
  readonly id: string
  readonly asked: Body
  readonly payment: Payment
  readonly amount: number
  readonly createdAt: Date
  status: string
}

export type Event = {
  readonly id: string
  readonly createdAt: Date
  readonly type: 'billing_requests' | 'payments' | 'refunds'
  readonly action: string
  readonly of: { readonly id: string; readonly asked: Body }
  readonly details: Body
}

type Movement = {
  readonly kind: 'mandate' | 'payment' | 'refund' | 'cancel'
  readonly key: string | null
  readonly attempt: string | null
  readonly of: string
  readonly amount: number
}

/** The books of one creditor. */
export class Books {
  readonly requests = new Map<string, BillingRequest>()
  readonly mandates = new Map<string, Mandate>()
  readonly payments = new Map<string, Payment>()
  readonly refunds = new Map<string, Refund>()
  readonly movements: Movement[] = []
  readonly events: Event[] = []
  /** Events that were not sent yet. */
  readonly waiting: Event[] = []
  readonly now: () => Date

  constructor(now: () => Date) {
    this.now = now
  }

  tell(type: Event['type'], action: string, of: Event['of'], details: Body = {}): void {
    const event = { id: newId('EV'), createdAt: this.now(), type, action, of, details }
    this.events.push(event)
    this.waiting.push(event)
  }

  refundedOf({ id }: Payment): number {
    const ended = ['cancelled', 'bounced', 'funds_returned']
    return [...this.refunds.values()]
      .filter(({ payment, status }) => payment.id === id && !ended.includes(status))
      .reduce((sum, { amount }) => sum + amount, 0)
  }
}

export function found<One>(all: ReadonlyMap<string, One>, id: string): One {
  const one = all.get(id)
  if (!one) throw new Refusal(404, 'record_not_found')
  return one
}

export function newId(prefix: string): string {
  return `${prefix}${randomBytes(8).toString('hex').toUpperCase()}`
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function attemptIn({ metadata }: Body): string | null {
  const attempt = isObject(metadata) ? metadata['attempt'] : null
  return typeof attempt === 'string' ? attempt : null
}
