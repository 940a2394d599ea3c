import { randomInt } from 'node:crypto'

export type Json = Readonly<Record<string, unknown>>
export type Kind = 'Authorization' | 'Card Verification' | 'Void' | 'Capture' | 'Refund' | 'Payout' | 'Return'

export type Action = {
  readonly id: string
  readonly type: Kind
  readonly amount: number
  readonly metadata: Json
  readonly reference: string | null
  readonly authorization_type?: string
  /** Null: it is accepted, and nothing shows it yet. */
  approved: boolean | null
  response_code: string
  processed_on: string
}

export type Payment = {
  readonly id: string
  readonly request: Json
  readonly key: string | null
  readonly currency: string
  readonly isEstimated: boolean
  amount: number
  status: string
  approved: boolean
  requestedOn: string
  /** Where Checkout.com sends the buyer after its page, and how the page ended. */
  authentication: 'waiting' | 'Y' | 'N' | null
  readonly actions: Action[]
  readonly source: Json
}

export type Reply = { readonly status: number; readonly body: unknown }
export type Event = { readonly source: string; readonly type: string; readonly data: Json }
/** What a dispute has moved, and a report has not told yet. */
type DisputeMove = {
  readonly id: string
  readonly payment: string
  readonly amount: number
  readonly code: string
}

type Movement = {
  readonly kind: string
  readonly key: string | null
  readonly amount: number
  readonly payment: string | null
}

/** A refusal of the API. Without codes it has no body. */
export class Refusal extends Error {
  readonly status: number
  readonly codes: readonly string[]
  constructor(status: number, codes: readonly string[] = []) {
    super(`${status} ${codes.join(' ')}`)
    this.status = status
    this.codes = codes
  }
}

/** All that the account has, in memory. */
export class Books {
  readonly now: () => Date
  readonly payments = new Map<string, Payment>()
  /** Cards that are stored, by their `src`. */
  readonly stored = new Map<string, Json>()
  readonly disputes = new Map<string, { readonly payment: Payment; readonly amount: number }>()
  /** What disputes have moved since the last report. */
  readonly disputeMoves: DisputeMove[] = []
  readonly movements: Movement[] = []
  /** The response codes of what is decided next, first come first. */
  readonly next: string[] = []
  onEvent: (event: Event) => void = () => {}

  constructor(now: () => Date) {
    this.now = now
  }

  tell(type: string, data: Json, source = 'gateway'): void {
    this.onEvent({ source, type, data })
  }

  find(id: string): Payment {
    const payment = this.payments.get(id)
    if (!payment) throw new Refusal(404)
    return payment
  }
}

/** As in `pay_` and 26 letters and digits, of which one is a digit. */
export function newId(prefix: string): string {
  const signs = 'abcdefghijklmnopqrstuvwxyz234567'
  return `${prefix}_${Array.from({ length: 25 }, () => signs[randomInt(signs.length)]).join('')}2`
}

/** Sums of a payment. What is accepted and not yet decided is taken already. */
export function balancesOf({ actions }: Payment) {
  const sum = (type: Kind) =>
    actions
      .filter((one) => one.type === type && one.approved !== false)
      .reduce((all, { amount }) => all + amount, 0)
  const [authorized, voided, captured, refunded] = [
    sum('Authorization'),
    sum('Void'),
    sum('Capture'),
    sum('Refund'),
  ]
  const left = authorized - voided - captured
  return {
    total_authorized: authorized,
    total_voided: voided,
    available_to_void: left,
    total_captured: captured,
    available_to_capture: left,
    total_refunded: refunded,
    available_to_refund: captured - refunded,
  }
}

const SUMMARIES: Readonly<Record<string, string>> = {
  '10000': 'Approved',
  '20051': 'Insufficient Funds',
  '20154': '3DS authentication required',
}

export function decisionOf(code: string) {
  return {
    response_code: code,
    response_summary: SUMMARIES[code] ?? (code.startsWith('1') ? 'Approved' : 'Declined'),
  }
}

export function isPayout({ request }: Payment): boolean {
  return request['destination'] !== undefined
}

/** What an event about an action of a payment says. */
export function eventData(payment: Payment, action: Action): Json {
  return {
    id: payment.id,
    action_id: action.id,
    ...(action.reference !== null && { reference: action.reference }),
    amount: action.amount,
    currency: payment.currency,
    processed_on: action.processed_on,
    ...decisionOf(action.response_code),
    ...(isPayout(payment) ? { destination: payment.source } : { balances: balancesOf(payment) }),
    metadata: action.metadata,
  }
}
