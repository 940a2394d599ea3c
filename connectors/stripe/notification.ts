import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Link, Message, Notification, Reading } from '#connectors/contract/connector.ts'
import { unread } from '#connectors/contract/requests.ts'
import { readIntent, toAuthorizeAnswer } from './intent.ts'
import { readDispute, readWarning } from './read-dispute.ts'
import { codeOfFailure, readRefund, toRefundAnswer } from './refund.ts'
import { type Body, isObject, text } from './wire.ts'

/** As in Stripe's own libraries: an older message may be a recording that an attacker sends again. */
const TOLERANCE_SECONDS = 300

export async function readNotification(message: Message, link: Link): Promise<Reading> {
  const problem = problemWith(message, link)
  if (problem !== null) return { outcome: 'rejected', message: problem }
  const event = parse(message.body)
  const object = isObject(event?.['data']) ? event['data']['object'] : null
  if (event?.['object'] !== 'event' || !isObject(object)) {
    return { outcome: 'rejected', message: 'the body is not an event of Stripe' }
  }
  const notifications = read(event, object, link.now())
  if (notifications === 'unread') return { outcome: 'read', notifications: [], ...unread(event['type']) }
  return notifications
    ? { outcome: 'read', notifications }
    : { outcome: 'rejected', message: 'the event is not as Stripe documents it' }
}

/** What is wrong with the signature, or null. Source: https://docs.stripe.com/webhooks#verify-manually */
function problemWith({ headers, body }: Message, { fields, now }: Link): string | null {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const secret = fields['webhook_secret'] ?? ''
  if (secret === '' || !/^\d{1,12}$/.test(time)) return 'the signature is missing'
  const signed = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  // While a secret is replaced, Stripe signs with both.
  const isSigned = parts.some(
    ([name, value = '']) =>
      name === 'v1' && /^[0-9a-f]{64}$/.test(value) && timingSafeEqual(Buffer.from(value, 'hex'), signed),
  )
  if (!isSigned) return 'the signature does not fit'
  const age = now().getTime() / 1_000 - Number(time)
  return Math.abs(age) > TOLERANCE_SECONDS ? 'the message is too old, or of the future' : null
}

/** Null if the event is about something of ours, but cannot be read. */
function read(event: Body, object: Body, now: Date): readonly Notification[] | 'unread' | null {
  switch (event['type']) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'payment_intent.amount_capturable_updated':
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
    case 'setup_intent.canceled':
      return readOutcome(object, now)
    case 'refund.updated':
    case 'refund.failed':
      return readRefundOutcome(event, object)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return readDispute('dispute', object, timeOf(event))
    case 'charge.dispute.funds_withdrawn':
      return readDispute('chargeback', object, timeOf(event))
    case 'charge.dispute.funds_reinstated':
      return readDispute('chargeback_reversal', object, timeOf(event))
    case 'radar.early_fraud_warning.created':
      return readWarning(object, timeOf(event))
    default:
      return 'unread'
  }
}

function readOutcome(object: Body, now: Date): readonly Notification[] | null {
  const intent = readIntent(object, {})
  if (!intent) return null
  const subject = subjectOf(intent.id, intent.metadata)
  if (intent.status === 'canceled' && intent.chargeId !== null) {
    const answer = { outcome: 'approved', reference: intent.id, facts: { rawCode: 'canceled' } } as const
    return [{ ...subject, about: 'void', answer }]
  }
  const answer = toAuthorizeAnswer(intent, now)
  // Messages arrive in any order. One that says "still open" may be late, and decides nothing.
  if (answer.outcome === 'unknown' || answer.outcome === 'approval_required') return []
  return [{ ...subject, about: 'authorization', answer }]
}

function readRefundOutcome(event: Body, object: Body): readonly Notification[] | null {
  const refund = readRefund(object, {})
  if (!refund) return null
  const answer = toRefundAnswer(refund)
  const subject = subjectOf(refund.id, refund.metadata)
  if (answer.outcome === 'unknown' || answer.outcome === 'pending') return []
  if (answer.outcome === 'approved' || wasOpen(event)) return [{ ...subject, about: 'refund', answer }]
  return [
    {
      ...subject,
      about: 'late_failure',
      of: 'refund',
      code: codeOfFailure(refund.failureReason),
      failedAt: timeOf(event),
      facts: answer.facts,
    },
  ]
}

/** Stripe says what the refund was before: one that was never approved has not failed late. */
function wasOpen({ data }: Body): boolean {
  const before = isObject(data) && isObject(data['previous_attributes']) ? data['previous_attributes'] : {}
  return before['status'] === 'pending' || before['status'] === 'requires_action'
}

function subjectOf(reference: string, metadata: Body) {
  return {
    reference,
    attemptId: text(metadata['attempt']),
    reconciliationId: text(metadata['reconciliation']),
  }
}

function timeOf({ created }: Body): Date {
  return new Date(typeof created === 'number' ? created * 1_000 : 0)
}

function parse(body: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
