import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { AuthorizeAnswer, Facts, Link, Refused } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { FAILURES, PAYMENT_STATUSES } from './mapping.ts'
import { fromMollie, type Money } from './money.ts'
import { attemptOf, isId, isObject, type Json, type Reply, send, toRefusal } from './wire.ts'

/** Which payment must be shown. Null: what was asked for is no longer known. */
export type Asked = {
  readonly attemptId: string
  readonly order: (Money & { readonly intent: string }) | null
}

export type Payment = {
  readonly id: string
  readonly status: keyof typeof PAYMENT_STATUSES
  readonly body: Json
}

/** Null: it is no payment as Mollie documents them. */
export function paymentIn(body: Json): Payment | null {
  const { resource, id, status } = body
  if (resource !== 'payment' || !isId('tr', id)) return null
  if (typeof status !== 'string' || !Object.hasOwn(PAYMENT_STATUSES, status)) return null
  return { id, status: status as Payment['status'], body }
}

export function askFor(link: Link, id: string): Promise<Reply> {
  return send(link, { path: `payments/${encodeURIComponent(id)}` })
}

export async function lookUp(link: Link, id: string, asked: Asked): Promise<AuthorizeAnswer> {
  const reply = await askFor(link, id)
  // A refused question says nothing about the payment.
  if (reply.kind === 'error') return lost(`Mollie answered ${reply.status} to the question for the payment`)
  return readPayment(reply, asked)
}

/** Strict: an answer that is only nearly right is unknown. */
export function readPayment(reply: Reply, { attemptId, order }: Asked): AuthorizeAnswer {
  if (reply.kind !== 'answer') return toRefusal(reply)
  const payment = paymentIn(reply.body)
  if (!payment) return lost('Mollie answered with something else than a payment')
  const { id: reference, status, body } = payment
  const money = fromMollie(body['amount'])
  const isAsked =
    attemptOf(body) === attemptId &&
    (order === null || (money?.amount === order.amount && money.currency === order.currency))
  if (!isAsked) return lost('Mollie answered about another payment')
  const facts = factsOf(payment)
  switch (PAYMENT_STATUSES[status]) {
    case 'approved':
      return { outcome: 'approved', reference, facts }
    case 'authorized':
      // Mollie captures it by itself. Until then it may still fail.
      return order?.intent === 'capture' || isAutomatic(body)
        ? { outcome: 'pending', reference, facts }
        : { outcome: 'approved', reference, facts }
    case 'pending':
      return { outcome: 'pending', reference, facts }
    case 'approval_required':
      return readApprovalRequest(payment)
    default:
      return refusalOf(payment)
  }
}

export function isAutomatic({ captureMode }: Json): boolean {
  return captureMode === 'automatic'
}

/** Once the buyer has begun, there may be no link any more. */
function readApprovalRequest({ id: reference, body }: Payment): AuthorizeAnswer {
  const { _links: links, expiresAt } = body
  const checkout = isObject(links) ? links['checkout'] : null
  const url = isObject(checkout) ? checkout['href'] : null
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return { outcome: 'pending', reference, facts: {} }
  }
  const end = momentIn(expiresAt)
  const approval = { kind: 'redirect', url } as const
  return { outcome: 'approval_required', reference, approval, ...(end && { expiresAt: end }), facts: {} }
}

/** Of a payment that has ended without an approval. */
export function refusalOf(payment: Payment): Refused {
  const meaning = PAYMENT_STATUSES[payment.status]
  const code: ErrorCode = meaning === 'cancelled_buyer_approval' ? meaning : failureIn(payment.body)
  return refused(code, factsOf(payment), payment.id)
}

function failureIn(body: Json): ErrorCode {
  return FAILURES[reasonIn(body) ?? ''] ?? 'other_decline'
}

function reasonIn({ details, statusReason }: Json): string | null {
  const reason = isObject(details) ? details['failureReason'] : null
  const code = isObject(statusReason) ? statusReason['code'] : null
  const named = [reason, code].find((one) => typeof one === 'string' && /^\w{1,80}$/.test(one))
  return typeof named === 'string' ? named : null
}

export function factsOf({ status, body }: Payment): Facts {
  return { rawCode: reasonIn(body) ?? status }
}

export function momentIn(value: unknown): Date | null {
  const at = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}
