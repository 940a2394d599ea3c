import type {
  Link,
  Message,
  Notification,
  Outcome,
  Reading,
  Subject,
} from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { unread } from '#connectors/contract/requests.ts'
import { MAPPING } from './mapping.ts'
import { readDispute, readReversal, type Told } from './read-dispute.ts'
import { readAuthorization, readCapture, readRefund } from './read-order.ts'
import { whyNotSigned } from './signature.ts'
import { isObject, type Json, listIn, objectIn, textIn } from './wire.ts'

/** Reads an event. */
export async function readNotification(message: Message, link: Link): Promise<Reading> {
  const wrong = await whyNotSigned(message, link)
  if (wrong !== null) return { outcome: 'rejected', message: wrong }
  const event = parse(message.body)
  const type = textIn(event, 'event_type')
  const resource = event?.['resource']
  if (type === null || !isObject(resource)) return { outcome: 'rejected', message: 'the message is no event' }
  if (!Object.hasOwn(MAPPING.events, type)) return { outcome: 'read', notifications: [], ...unread(type) }
  const told = await tell({ type, resource, at: timeOf(event) }, link)
  if (typeof told === 'string') return { outcome: 'rejected', message: told }
  return told === null
    ? { outcome: 'rejected', message: `the event ${type.slice(0, 100)} has no resource that we can read` }
    : { outcome: 'read', notifications: told }
}

type Event = { readonly type: string; readonly resource: Json; readonly at: Date }

async function tell({ type, resource, at }: Event, link: Link): Promise<Told> {
  if (type === 'CHECKOUT.ORDER.APPROVED') return tellApproval(resource)
  if (type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED') return tellExpiry(resource)
  if (type === 'PAYMENT.AUTHORIZATION.VOIDED') return tellVoid(resource)
  if (type.startsWith('PAYMENT.AUTHORIZATION.')) {
    return one(outcome('authorization', readAuthorization(resource), subjectOf(resource)))
  }
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.'))
    return tellRefund(type, resource, at)
  if (type === 'PAYMENT.CAPTURE.REVERSED') return readReversal(resource, at, link)
  if (type.startsWith('PAYMENT.CAPTURE.')) return tellCapture(resource)
  return readDispute(type, resource, at)
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
