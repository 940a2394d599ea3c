import {
  type BillingRequest,
  type Body,
  type Books,
  type Event,
  type Mandate,
  newId,
  type Payment,
  type Refund,
  Refusal,
} from './books.ts'
import { DEBITS, schemeOf } from './pay.ts'

export function showRequest(one: BillingRequest): object {
  const { id, asked, createdAt, status, mandate, payment } = one
  return {
    id,
    created_at: createdAt.toISOString(),
    status,
    mandate_request: asked['mandate_request'] ?? null,
    payment_request: asked['payment_request'] ?? null,
    metadata: asked['metadata'] ?? {},
    links: {
      creditor: 'CRSTANDIN',
      ...(mandate !== null && { mandate_request_mandate: mandate }),
      ...(payment !== null && { payment_request_payment: payment }),
    },
  }
}

export function showRefund({ id, asked, payment, amount, createdAt, status }: Refund): object {
  return {
    id,
    amount,
    currency: payment.currency,
    created_at: createdAt.toISOString(),
    metadata: asked['metadata'] ?? {},
    reference: null,
    status,
    links: { payment: payment.id, ...(payment.mandate !== null && { mandate: payment.mandate }) },
  }
}

const LINKS = { billing_requests: 'billing_request', payments: 'payment', refunds: 'refund' } as const

export function showEvent({ id, createdAt, type, action, of, details }: Event): object {
  return {
    id,
    created_at: createdAt.toISOString(),
    resource_type: type,
    action,
    details: { description: 'Of the stand-in', ...details },
    metadata: {},
    resource_metadata: of.asked['metadata'] ?? {},
    links: { [LINKS[type]]: of.id },
  }
}

/** A page of a list, whose cursor is the place of its last item. */
export function listed(resource: string, all: readonly object[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) throw new Refusal(422, 'invalid', 'limit')
  const start = Number(query.get('after') ?? 0)
  const end = start + limit
  const after = end < all.length ? String(end) : null
  return { [resource]: all.slice(start, end), meta: { cursors: { before: null, after }, limit } }
}

export function showMandate({ id, request, createdAt, status }: Mandate): object {
  const asked = request.asked['mandate_request'] as Body
  return {
    id,
    created_at: createdAt.toISOString(),
    metadata: asked['metadata'] ?? {},
    scheme: schemeOf(asked, DEBITS),
    status,
    links: { creditor: 'CRSTANDIN' },
  }
}

export function showPayment(books: Books, payment: Payment): object {
  const { id, asked, scheme, mandate, amount, currency, createdAt, status } = payment
  return {
    id,
    amount,
    amount_refunded: books.refundedOf(payment),
    currency,
    charge_date: createdAt.toISOString().slice(0, 10),
    created_at: createdAt.toISOString(),
    description: asked['description'] ?? null,
    metadata: asked['metadata'] ?? {},
    reference: null,
    retry_if_possible: false,
    scheme,
    status,
    links: { creditor: 'CRSTANDIN', ...(mandate !== null && { mandate }) },
  }
}

const TYPES: Readonly<Record<number, string>> = { 409: 'invalid_state', 422: 'validation_failed' }
const STATES = ['billing_request_not_cancellable', 'cancellation_failed', 'refund_payment_invalid_state']

export function showError({ status, reason, field, before }: Refusal): object {
  const type = STATES.includes(reason) ? 'invalid_state' : (TYPES[status] ?? 'invalid_api_usage')
  const links = before === null ? {} : { links: { conflicting_resource_id: before } }
  const error = { reason, message: 'Refused by the stand-in', ...(field !== null && { field }), ...links }
  return {
    error: {
      message: 'Refused by the stand-in',
      documentation_url: 'https://developer.gocardless.com/api-reference#errors',
      type,
      request_id: newId(''),
      code: status,
      errors: [error],
    },
  }
}
