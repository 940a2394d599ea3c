import { createHmac, timingSafeEqual } from 'node:crypto'
import type {
  Dispute,
  DisputeStep,
  LateFailure,
  Link,
  Message,
  Notification,
  Outcome,
  Reading,
} from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { safe, unread } from '#connectors/contract/requests.ts'
import { markOf } from './follow-ups.ts'
import { codeOf, DISPUTE_EVENTS, type DisputeRow, EVENTS } from './mapping.ts'
import { returned } from './payout.ts'
import { factsOf, refusalOf } from './read-payment.ts'
import { isId, isObject, type Json } from './wire.ts'

/** The signature covers no time. A message that comes again changes nothing. */
export async function readNotification({ headers, body }: Message, link: Link): Promise<Reading> {
  const key = link.fields['signature_key'] ?? ''
  if (!isSigned(headers['cko-signature'] ?? '', body, key))
    return rejected('the signature is missing or does not fit')
  const event = parse(body)
  const data = event?.['data']
  if (!event || typeof event['type'] !== 'string' || !isObject(data)) {
    return rejected('the body is no event of Checkout.com')
  }
  const { type } = event
  if (!Object.hasOwn(GATEWAY, type) && !Object.hasOwn(DISPUTE_EVENTS, type))
    return { outcome: 'read', notifications: [], ...unread(type) }
  const notification = toNotification(event, type, data)
  return notification === 'unreadable'
    ? rejected('the event is not as Checkout.com documents it')
    : { outcome: 'read', notifications: notification ? [notification] : [] }
}

/** HMAC of the body in hexadecimal digits, of either case. */
function isSigned(signature: string, body: Buffer, key: string): boolean {
  if (key === '' || !/^[0-9a-fA-F]{64}$/.test(signature)) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), createHmac('sha256', key).update(body).digest())
}

const GATEWAY: Readonly<Record<string, string>> = EVENTS

/** Null: nothing that is of interest to us. */
function toNotification(event: Json, type: string, data: Json): Notification | 'unreadable' | null {
  const dispute = DISPUTE_EVENTS[type]
  if (dispute) return toDispute(event, dispute, data)
  const [about, result] = (GATEWAY[type] ?? '').split(' ') as [Outcome['about'], string]
  const { id, action_id, metadata } = data
  if (!isId('pay', id)) return 'unreadable'
  const marks = isObject(metadata) ? metadata : {}
  if (about === 'payout' || isObject(data['destination'])) {
    // That a payout is approved only says that it was sent: the event `payment_paid` says that it arrived.
    const answer = about !== 'payout' && result === 'approved' ? null : payoutIn(result, id, data)
    return answer && { about: 'payout', reference: id, attemptId: idIn(marks, 'payout'), answer }
  }
  const reference = about === 'authorization' ? id : action_id
  if (!isId(about === 'authorization' ? 'pay' : 'act', reference)) return 'unreadable'
  // The capture of a payment that was charged in one step is no capture of ours.
  if (about === 'capture' && marks['intent'] === 'capture') {
    return result === 'approved' ? null : lateFailure(event, id, data)
  }
  const answer = answerOf(result, reference, data)
  return answer && { about, reference, attemptId: idIn(marks, about), answer }
}

function payoutIn(result: string | undefined, reference: string, data: Json): Outcome['answer'] | null {
  return result === 'returned' ? returned(data, reference) : answerOf(result, reference, data)
}

function answerOf(result: string | undefined, reference: string, data: Json): Outcome['answer'] | null {
  if (result === 'approved') return { outcome: 'approved', reference, facts: factsOf(data) }
  if (result === 'canceled') return refused('cancelled_buyer_approval', factsOf(data), reference)
  const refusal = refusalOf(data, reference)
  return refusal.outcome === 'unknown' ? null : refusal
}

function idIn(marks: Json, about: Outcome['about']): string | null {
  const id = marks[markOf(about === 'authorization' ? 'authorize' : about)]
  return typeof id === 'string' ? id : null
}

function lateFailure(event: Json, reference: string, data: Json): LateFailure {
  const facts = factsOf(data)
  const code = codeOf(facts.rawCode ?? null) ?? 'service_error'
  return { about: 'late_failure', of: 'authorization', reference, code, failedAt: timeOf(event), facts }
}

/** Checkout.com takes the money when it wants evidence, and gives it back when the dispute is won or withdrawn. */
function toDispute(
  event: Json,
  { takes, stage }: DisputeRow,
  data: Json,
): Dispute | DisputeStep | 'unreadable' {
  const { id, amount, currency, payment_id: reference, reason_code, category, evidence_required_by } = data
  if (typeof id !== 'string' || typeof reference !== 'string' || typeof currency !== 'string')
    return 'unreadable'
  if (!Number.isSafeInteger(amount) || Number(amount) < 0) return 'unreadable'
  const providerStage = String(event['type']).replace('dispute_', '')
  const told = {
    reference,
    dispute: id,
    amount: Number(amount),
    currency,
    stage,
    providerStage,
    code: safe(reason_code),
    reason: safe(category),
    postedAt: momentIn(data['date']) ?? timeOf(event),
    respondBy: momentIn(evidence_required_by),
  }
  // No page says that reports name the dispute. So the money is known by its payment, its amount, and when it moved.
  return takes === 'dispute' ? { about: takes, ...told } : { about: takes, id: null, ...told }
}

function timeOf({ timestamp, created_on }: Json): Date {
  return momentIn(timestamp) ?? momentIn(created_on) ?? new Date(0)
}

function momentIn(value: unknown): Date | null {
  const at = new Date(typeof value === 'string' ? value : '')
  return Number.isNaN(at.getTime()) ? null : at
}

function parse(body: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function rejected(message: string): Reading {
  return { outcome: 'rejected', message }
}
