import type { Capture, Json } from './books.ts'
import type { Desk } from './desk.ts'
import { escalateDispute, openDispute, resolveDispute, reverseCapture } from './disputes.ts'
import type { Answer } from './idempotency.ts'
import { book } from './pay.ts'
import { bookRefund } from './payments.ts'
import { Problem } from './problem.ts'
import { viewAuthorization, viewCapture, viewRefund } from './views.ts'

/** What happens at a provider by itself, or by a person there. For tests and for trying things out. */
export function control(desk: Desk, path: string, body: Json): Answer {
  const [what = '', id = ''] = path.split('/').filter(Boolean)
  switch (what) {
    case 'books':
      return ok({ effects: Object.fromEntries(desk.books.effects), movements: desk.books.movements.length })
    case 'behave':
      Object.assign(desk.books.behaviour, body)
      return ok(desk.books.behaviour)
    case 'captures':
      return ok(endCapture(desk, id, String(body['status'])))
    case 'authorizations':
      return ok(endAuthorization(desk, id, String(body['status'])))
    case 'refunds':
      return ok(endRefund(desk, id, String(body['status'])))
    case 'disputes':
      return ok(dispute(desk, id, body))
    case 'messages':
      return ok(messages(desk, id))
    default:
      throw new Problem(404, 'INVALID_RESOURCE_ID')
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

/** Ends a capture that is pending, fails one that was completed, or takes its money back. */
function endCapture(desk: Desk, id: string, status: string): Json {
  const { books, events, url } = desk
  const capture = books.captures.get(id)
  if (capture && status === 'REVERSED') {
    reverseCapture(desk, capture)
    return viewCapture(books, url(), capture)
  }
  if (!capture || !isCaptureEnd(status)) throw new Problem(404, 'INVALID_RESOURCE_ID')
  capture.status = status
  capture.reason = null
  capture.updatedAt = books.now()
  if (status === 'COMPLETED') book(desk, capture)
  const body = viewCapture(books, url(), capture)
  // The event for a declined capture was renamed; PayPal still documents both names.
  const type = status === 'FAILED' ? 'PAYMENT.CAPTURE.DENIED' : `PAYMENT.CAPTURE.${status}`
  events.tell(capture.clientId, type, { type: 'capture', body })
  return body
}

function isCaptureEnd(status: string): status is Capture['status'] {
  return status === 'COMPLETED' || status === 'DECLINED' || status === 'FAILED'
}

/** Ends an authorization that PayPal reviews, or voids one as PayPal does after 29 days. */
function endAuthorization({ books, events, url }: Desk, id: string, status: string): Json {
  const authorization = books.authorizations.get(id)
  if (!authorization || (status !== 'CREATED' && status !== 'DENIED' && status !== 'VOIDED')) {
    throw new Problem(404, 'INVALID_RESOURCE_ID')
  }
  authorization.status = status
  authorization.updatedAt = books.now()
  const body = viewAuthorization(books, url(), authorization)
  events.tell(authorization.clientId, `PAYMENT.AUTHORIZATION.${status === 'CREATED' ? status : 'VOIDED'}`, {
    type: 'authorization',
    body,
  })
  return body
}

function endRefund(desk: Desk, id: string, status: string): Json {
  const { books, events, url } = desk
  const refund = books.refunds.get(id)
  if (!refund || (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'CANCELLED')) {
    throw new Problem(404, 'INVALID_RESOURCE_ID')
  }
  const wasCompleted = refund.status === 'COMPLETED'
  refund.status = status
  refund.updatedAt = books.now()
  const capture = books.captures.get(refund.captureId)
  if (capture && status !== 'COMPLETED') capture.status = 'COMPLETED'
  const body = viewRefund(books, url(), refund)
  if (status === 'COMPLETED' && !wasCompleted) bookRefund(desk, refund)
  if (status !== 'COMPLETED') {
    const type = status === 'FAILED' ? 'PAYMENT.REFUND.FAILED' : 'PAYMENT.REFUND.CANCELLED'
    events.tell(refund.clientId, type, { type: 'refund', body })
  }
  return body
}

function dispute(desk: Desk, id: string, body: Json): Json {
  const { capture_id: captureId, stage, reason, outcome } = body as Record<string, string | undefined>
  if (!id) {
    const over = { ...(stage && { stage: stage as 'INQUIRY' }), ...(reason && { reason }) }
    return { id: openDispute(desk, captureId ?? '', over).id }
  }
  return { id: (outcome ? resolveDispute(desk, id, outcome) : escalateDispute(desk, id)).id }
}

/** The signed messages that a webhook has not taken, so that they can be sent by hand. */
function messages({ events }: Desk, webhookId: string): Json[] {
  const webhook = events.webhooks.get(webhookId)
  if (!webhook) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return events.due(webhook).map((event) => {
    const { headers, body } = events.message(webhookId, event.body)
    return { type: event.type, headers, body: body.toString() }
  })
}
