import { decideAction, endPending } from './approve.ts'
import type { Books } from './books.ts'
import { closeDispute, moveDispute, openDispute, warnOfFraud } from './disputes.ts'
import { expireIntent } from './follow-ups.ts'
import { findIntent } from './intents.ts'
import type { Charge } from './objects.ts'
import { failRefund, findRefund } from './refunds.ts'
import { payOut } from './settle-money.ts'
import { conflict, missing, StripeError } from './stripe-error.ts'
import type { Deliveries } from './webhooks.ts'

type Stage = { readonly books: Books; readonly faults: Faults; readonly deliveries: Deliveries }

/** What time and other people do to a real account. Not part of Stripe's API. */
export async function control(stage: Stage, path: string, body: Record<string, unknown>): Promise<object> {
  const { books, faults, deliveries } = stage
  const [what = '', id = '', act = ''] = path.split('/').slice(2)
  switch (`${what}/${act}`) {
    case 'books/':
      return { movements: books.movements }
    case 'finish/':
      if (id !== '') decideAction(books, id, body['outcome'] !== 'failed')
      else endPending(books)
      return {}
    case 'refunds/fail':
      return failRefund(books, findRefund(books, id))
    case 'payment_intents/dispute':
      return dispute(books, id, body)
    case 'payment_intents/warn':
      return warnOfFraud(books, capturedOf(books, id))
    case 'payment_intents/expire':
      return expireIntent(books, id)
    case 'disputes/answer':
      return moveDispute(books, id, 'answer')
    case 'disputes/escalate':
      return moveDispute(books, id, 'escalate')
    case 'disputes/close':
      return closeDispute(books, id, body['outcome'] === 'won' ? 'won' : 'lost')
    case 'payouts/':
      return { payouts: payOut(books) }
    case 'faults/':
      faults.add(body)
      return {}
    case 'deliver/':
      return { left: await deliveries.deliver() }
    default:
      throw missing('control', path, 'path')
  }
}

function dispute(books: Books, id: string, { amount, reason }: Record<string, unknown>): object {
  const charge = capturedOf(books, id)
  return openDispute(books, charge, {
    reason: typeof reason === 'string' ? reason : 'fraudulent',
    amount: typeof amount === 'number' ? amount : charge.amount_captured,
  })
}

function capturedOf(books: Books, id: string): Charge {
  const intent = findIntent(books, id)
  const charge = books.charges.get(intent.latest_charge ?? '')
  if (!charge?.captured) throw conflict('charge_not_refundable', 'Only a captured payment can be disputed.')
  return charge
}

/**
 * `error`: 500 before anything is done. `error_after`: 500 although it is done. Stripe keeps both answers for the key.
 * `rate_limit` and `lock_timeout`: 429, and nothing is done or kept.
 */
const KINDS = ['error', 'error_after', 'rate_limit', 'lock_timeout'] as const
type Kind = (typeof KINDS)[number]

/** Troubles for the next request to an endpoint, each once. */
export class Faults {
  readonly #next = new Map<string, Kind>()

  /** `endpoint` as in `POST /v1/refunds`. */
  add({ endpoint, fault }: Record<string, unknown>): void {
    const kind = KINDS.find((one) => one === fault)
    if (typeof endpoint === 'string' && kind) this.#next.set(endpoint, kind)
  }

  take(endpoint: string): Kind | null {
    const kind = this.#next.get(endpoint) ?? null
    this.#next.delete(endpoint)
    return kind
  }
}

export function faultError(kind: Kind): StripeError {
  if (kind === 'rate_limit' || kind === 'lock_timeout') {
    const body = { type: 'invalid_request_error', code: kind, message: 'Too many requests.' } as const
    return new StripeError(429, body, { isValidation: true })
  }
  return new StripeError(500, { type: 'api_error', message: 'An unknown error occurred.' })
}
