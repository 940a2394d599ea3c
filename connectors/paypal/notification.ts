import type {
  Link,
  Message,
  Notification,
  Outcome,
  Reading,
  Subject,
} from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { fromWire } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { readAuthorization, readCapture, readRefund } from './read-order.ts'
import { whyNotSigned } from './signature.ts'
import { isObject, type Json, listIn, objectIn, textIn } from './wire.ts'

/** Reads an event. Events that we did not subscribe to are of no interest. */
export async function readNotification(message: Message, link: Link): Promise<Reading> {
  const wrong = await whyNotSigned(message, link)
  if (wrong !== null) return { outcome: 'rejected', message: wrong }
  const event = parse(message.body)
  const type = textIn(event, 'event_type')
  const resource = event?.['resource']
  if (type === null || !isObject(resource)) return { outcome: 'rejected', message: 'the message is no event' }
  const told = type in MAPPING.events ? tell(type, resource, timeOf(event)) : []
  return told === null
    ? { outcome: 'rejected', message: `the event ${type.slice(0, 100)} has no resource that we can read` }
    : { outcome: 'read', notifications: told }
}

function tell(type: string, resource: Json, at: Date): readonly Notification[] | null {
  if (type === 'CHECKOUT.ORDER.APPROVED') return tellApproval(resource)
  if (type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED') return tellExpiry(resource)
  if (type === 'PAYMENT.AUTHORIZATION.VOIDED') return tellVoid(resource)
  if (type.startsWith('PAYMENT.AUTHORIZATION.')) {
    return one(outcome('authorization', readAuthorization(resource), subjectOf(resource)))
  }
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.'))
    return tellRefund(type, resource, at)
  if (type.startsWith('PAYMENT.CAPTURE.')) return tellCapture(resource)
  return readDispute(resource, at)
}

function one(notification: Notification | null): readonly Notification[] | null {
  return notification && [notification]
}

function outcome(
  about: Outcome['about'],
  answer: ReturnType<typeof readCapture>,
  subject: Omit<Subject, 'reference'>,
): Notification | null {
  if (answer.outcome === 'unknown') return null
  return { about, reference: answer.reference, ...subject, answer }
}

/** Our ids, which we gave the order, and which PayPal repeats in what becomes of it. */
function subjectOf(resource: Json): Omit<Subject, 'reference'> {
  return { attemptId: textIn(resource, 'custom_id'), reconciliationId: textIn(resource, 'invoice_id') }
}

function tellApproval(order: Json): readonly Notification[] | null {
  const reference = textIn(order, 'id')
  const [unit = {}] = listIn(order, 'purchase_units')
  return reference === null ? null : [{ about: 'approvable', reference, ...subjectOf(unit) }]
}

function tellExpiry(resource: Json): readonly Notification[] | null {
  const reference = textIn(resource, 'order_id') ?? textIn(resource, 'id')
  if (reference === null) return null
  const facts = { rawCode: 'CHECKOUT.PAYMENT-APPROVAL.REVERSED' }
  const answer = refused('cancelled_buyer_approval', facts, reference)
  return [{ about: 'authorization', reference, answer }]
}

/** PayPal also tells this when an authorization ends by itself. Then no void of ours is found, and nothing changes. */
function tellVoid(resource: Json): readonly Notification[] | null {
  // An authorization that was pending, and is refused: PayPal has no event of its own for it.
  if (textIn(resource, 'status') === 'DENIED') {
    return one(outcome('authorization', readAuthorization(resource), subjectOf(resource)))
  }
  const reference = textIn(resource, 'id')
  if (reference === null) return null
  const facts = { rawCode: 'VOIDED' }
  return [{ about: 'void', reference, answer: { outcome: 'approved', reference, facts } }]
}

/** A payment in one step is an authorization of ours. A capture repeats the ids of its payment, and has none of its own. */
function tellCapture(resource: Json): readonly Notification[] | null {
  const answer = readCapture(resource)
  return isOfAuthorization(resource)
    ? one(outcome('capture', answer, {}))
    : one(outcome('authorization', answer, subjectOf(resource)))
}

function isOfAuthorization(resource: Json): boolean {
  const related = objectIn(objectIn(resource, 'supplementary_data'), 'related_ids')
  const up =
    textIn(
      listIn(resource, 'links').find(({ rel }) => rel === 'up'),
      'href',
    ) ?? ''
  return textIn(related, 'authorization_id') !== null || up.includes('/payments/authorizations/')
}

/**
 * A refund can fail while it is pending, or after PayPal had completed it. The server takes the outcome in the first case,
 * and the late failure in the second.
 */
function tellRefund(type: string, resource: Json, at: Date): readonly Notification[] | null {
  const answer = readRefund(resource)
  const subject = { attemptId: textIn(resource, 'custom_id') }
  const told = outcome('refund', answer, subject)
  if (!told || answer.outcome === 'unknown') return null
  if (type !== 'PAYMENT.REFUND.FAILED' || answer.reference === null) return [told]
  const { reference, facts } = answer
  return [
    told,
    {
      about: 'late_failure',
      of: 'refund',
      reference,
      ...subject,
      code: 'service_decline',
      failedAt: at,
      facts,
    },
  ]
}

function timeOf(event: Json | null): Date {
  const time = Date.parse(textIn(event, 'create_time') ?? '')
  return new Date(Number.isNaN(time) ? 0 : time)
}

function parse(body: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * An inquiry is a question of the buyer: no money moves. From the stage of a chargeback on, PayPal takes the money, and
 * gives it back if the seller wins. PayPal tells of a dispute several times; the server takes each movement once. PayPal
 * has no id for a movement in both its events and its reports, so there is none here: the capture and the amount tell.
 */
function readDispute(dispute: Json, at: Date): readonly Notification[] | null {
  const [transaction] = listIn(dispute, 'disputed_transactions')
  const reference = textIn(transaction, 'seller_transaction_id')
  const stage = textIn(dispute, 'dispute_life_cycle_stage')
  const disputed = fromWire(dispute['dispute_amount'])
  if (reference === null || stage === null || !disputed) return null
  const end = objectIn(dispute, 'dispute_outcome')
  const outcome = MAPPING.disputeOutcomes[textIn(end, 'outcome_code') ?? ''] ?? 'nothing'
  const isInquiry = stage === 'INQUIRY'
  const isOver = textIn(dispute, 'status') === 'RESOLVED'
  if (isOver ? outcome === 'nothing' || (isInquiry && outcome === 'returned') : isInquiry) return []
  const refunded = isInquiry ? fromWire(end['amount_refunded']) : null
  const { amount, currency } = refunded ?? disputed
  return [
    {
      about: isOver && outcome === 'returned' ? 'chargeback_reversal' : 'chargeback',
      id: null,
      reference,
      attemptId: textIn(transaction, 'custom'),
      reconciliationId: textIn(transaction, 'invoice_number'),
      amount,
      currency,
      code: textIn(dispute, 'external_reason_code') ?? textIn(dispute, 'reason'),
      reason: textIn(dispute, 'reason'),
      postedAt: at,
      respondBy: momentIn(dispute, 'seller_response_due_date'),
    },
  ]
}

/** PayPal tells it while it waits for the seller. */
function momentIn(dispute: Json, name: string): Date | null {
  const at = new Date(textIn(dispute, name) ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}
