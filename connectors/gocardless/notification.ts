import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Link, Message, Notification, Reading, Subject } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { safe, unread } from '#connectors/contract/requests.ts'
import { isObject } from '#connectors/contract/shapes.ts'
import { CAUSES } from './mapping.ts'
import { isId, type Json, linkIn, list, momentIn, show } from './wire.ts'

/** A message is a list of events. All are read, or the message comes again. */
export async function readNotification(message: Message, link: Link): Promise<Reading> {
  if (!isSigned(message, link.fields['webhook_secret'] ?? ''))
    return { outcome: 'rejected', message: 'the signature is missing or does not fit' }
  const events = eventsIn(message.body)
  if (!events) return { outcome: 'rejected', message: 'the body has no events of GoCardless' }
  const notifications: Notification[] = []
  const others: string[] = []
  for (const event of events) {
    const told = await read(event, link)
    if (told === 'unread') others.push(`${event['resource_type']}.${event['action']}`)
    else notifications.push(...told)
  }
  return { outcome: 'read', notifications, ...unread(...others) }
}

/** Source: https://developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks */
function isSigned({ headers, body }: Message, secret: string): boolean {
  const given = headers['webhook-signature'] ?? ''
  if (secret === '' || !/^[0-9a-f]{64}$/.test(given)) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest())
}

function eventsIn(body: Buffer): readonly Json[] | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    const events = isObject(value) ? value['events'] : null
    return Array.isArray(events) && events.every(isObject) ? events : null
  } catch {
    return null
  }
}

type Told = { readonly subject: Subject & { readonly reference: string }; readonly details: Json }

async function read(event: Json, link: Link): Promise<readonly Notification[] | 'unread'> {
  const { resource_type: type, action, details, resource_metadata: metadata } = event
  const name = NAMES[String(type)]
  const reference = name === undefined ? null : linkIn(event, name)
  if (typeof reference !== 'string') return []
  const { attempt, token } = isObject(metadata) ? metadata : {}
  // Of a mandate that is stored: no payment.
  if (token !== undefined) return []
  const subject = { reference, attemptId: typeof attempt === 'string' ? attempt : null }
  const told = { subject, details: isObject(details) ? details : {} }
  switch (`${type}.${action}`) {
    case 'billing_requests.fulfilled':
      return [{ about: 'approvable', ...subject }]
    case 'billing_requests.cancelled':
      return refusedBy('authorization', told, 'cancelled_buyer_approval')
    case 'payments.confirmed':
    case 'payments.paid_out':
      return [{ about: 'authorization', ...subject, answer: approved(reference, String(action)) }]
    case 'payments.cancelled':
    case 'payments.customer_approval_denied':
      return refusedBy('authorization', told, 'cancelled_buyer_approval')
    case 'payments.failed':
      return readFailure(event, told, link)
    case 'payments.charged_back':
      return readChargeback('chargeback', event, told, link)
    case 'payments.chargeback_cancelled':
      return readChargeback('chargeback_reversal', event, told, link)
    case 'refunds.paid':
      return [{ about: 'refund', ...subject, answer: approved(reference, String(action)) }]
    case 'refunds.failed':
      return refusedBy('refund', told, 'service_error')
    case 'refunds.bounced':
    case 'refunds.funds_returned':
      return [late('refund', event, told)]
    default:
      return type === 'billing_requests' || NO_NEWS.includes(`${type}.${action}`) ? [] : 'unread'
  }
}

/** Steps of a payment or a refund that decide nothing. */
const NO_NEWS: readonly string[] = [
  'payments.created',
  'payments.submitted',
  'payments.customer_approval_granted',
  'payments.resubmission_requested',
  'payments.surcharge_fee_debited',
  'payments.surcharge_fee_credited',
  'payments.chargeback_settled',
  'payments.late_failure_settled',
  'refunds.created',
  'refunds.refund_settled',
]

const NAMES: Readonly<Record<string, string>> = {
  billing_requests: 'billing_request',
  payments: 'payment',
  refunds: 'refund',
}

function approved(reference: string, rawCode: string) {
  return { outcome: 'approved', reference, facts: { rawCode } } as const
}

function refusedBy(
  about: 'authorization' | 'refund',
  { subject, details }: Told,
  code: 'cancelled_buyer_approval' | 'service_error',
): readonly Notification[] {
  const known = CAUSES[String(details['cause'])] ?? code
  return [{ about, ...subject, answer: refused(known, factsOf(details), subject.reference) }]
}

/** A debit may fail after it was confirmed: banks have days to send it back. Then the money was here, and has gone back. */
async function readFailure(event: Json, told: Told, link: Link): Promise<readonly Notification[]> {
  const { subject, details } = told
  if (details['will_attempt_retry'] === true) return []
  const page = await list(link, 'events', { payment: subject.reference, action: 'confirmed' })
  // The server answers so that GoCardless sends the message again.
  if (!page) throw new Error('GoCardless did not show whether the payment was confirmed before')
  if (page.items.length > 0) return [late('authorization', event, told)]
  const code = CAUSES[String(details['cause'])] ?? 'other_decline'
  return [{ about: 'authorization', ...subject, answer: refused(code, factsOf(details), subject.reference) }]
}

function late(of: 'authorization' | 'refund', event: Json, { subject, details }: Told): Notification {
  return {
    about: 'late_failure',
    of,
    ...subject,
    code: CAUSES[String(details['cause'])] ?? (of === 'refund' ? 'service_error' : 'other_decline'),
    failedAt: momentIn(event['created_at']) ?? new Date(0),
    facts: factsOf(details),
  }
}

/** The event does not say how much. Banks send whole payments back. */
async function readChargeback(
  about: 'chargeback' | 'chargeback_reversal',
  event: Json,
  { subject, details }: Told,
  link: Link,
): Promise<readonly Notification[]> {
  const reply = await show(link, 'payments', subject.reference)
  const { id, amount, currency } = reply.kind === 'answer' ? reply.body : {}
  const postedAt = momentIn(event['created_at'])
  if (!isId('PM', id) || typeof amount !== 'number' || typeof currency !== 'string' || !postedAt)
    throw new Error('GoCardless did not show the payment that was charged back')
  const { rawCode: code, rawDescription: reason } = factsOf(details)
  return [
    { about, ...subject, id: null, dispute: subject.reference, amount, currency, code, reason, postedAt },
  ]
}

function factsOf({ cause, reason_code: code, description }: Json) {
  return { rawCode: safe(code) ?? safe(cause), rawDescription: safe(description) }
}
