import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '#connectors/contract/codes.ts'
import type {
  Dispute,
  DisputeStep,
  Facts,
  LateFailure,
  Link,
  Message,
  Notification,
  Outcome,
  Reading,
  Subject,
} from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { safe, unread } from '#connectors/contract/requests.ts'
import { fromAdyen } from './currency.ts'
import { disputeId } from './dispute-id.ts'
import { factsOf } from './facts.ts'
import { DISPUTE_STATUSES, type DisputeRow, EVENTS, MODIFICATION_REASONS, REFUSALS } from './mapping.ts'
import { isNameOf } from './method-names.ts'
import { authorisedIn } from './read-payment.ts'
import { reportNamed } from './reports.ts'
import { isObject, type Json } from './wire.ts'

/** The fields that the signature covers, and `reason` and `additionalData`, which it does not. */
type Item = {
  readonly eventCode: string
  readonly success: boolean
  readonly pspReference: string
  readonly originalReference: string
  readonly merchantAccountCode: string
  readonly merchantReference: string
  readonly value: number
  readonly currency: string
  readonly reason: string | null
  readonly eventDate: Date
  readonly all: Json
}

/**
 * A message of Adyen: a batch of signed items. One item that is not signed spoils the message. Items of other merchant
 * accounts, of other methods and of events without a meaning for us are accepted: Adyen would hold up all later ones otherwise.
 */
export async function readNotification({ body }: Message, link: Link, method: string): Promise<Reading> {
  const wrapped = parse(body)?.['notificationItems']
  if (!Array.isArray(wrapped) || wrapped.length === 0) return rejected('the body is no message of Adyen')
  const items: Item[] = []
  for (const wrapper of wrapped) {
    const item = isObject(wrapper) ? readItem(wrapper['NotificationRequestItem']) : null
    if (!item) return rejected('an item of the message lacks a field')
    if (!isSigned(item, link.fields['hmac_key'] ?? ''))
      return rejected('the signature of an item does not fit')
    items.push(item)
  }
  const ours = items
    .filter((item) => item.merchantAccountCode === link.fields['merchant_account'])
    .filter(({ all }) => typeof all['paymentMethod'] !== 'string' || isNameOf(method, all['paymentMethod']))
  const kinds = ours.map(({ eventCode }) => eventCode).filter((code) => !Object.hasOwn(EVENTS, code))
  const notifications = ours.flatMap(toNotifications)
  return { outcome: 'read', notifications, acknowledgement: '[accepted]', ...unread(...kinds) }
}

function readItem(value: unknown): Item | null {
  if (!isObject(value)) return null
  const {
    eventCode,
    success,
    pspReference,
    originalReference = '',
    merchantAccountCode,
    merchantReference,
  } = value
  const { amount, reason, eventDate } = value
  const texts = [
    eventCode,
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    eventDate,
  ]
  if (!texts.every((text) => typeof text === 'string') || !['true', 'false'].includes(String(success)))
    return null
  const { value: minor, currency } = isObject(amount) ? amount : {}
  const at = new Date(String(eventDate))
  if (!Number.isSafeInteger(minor) || typeof currency !== 'string' || Number.isNaN(at.getTime())) return null
  return {
    eventCode: String(eventCode),
    success: String(success) === 'true',
    pspReference: String(pspReference),
    originalReference: String(originalReference),
    merchantAccountCode: String(merchantAccountCode),
    merchantReference: String(merchantReference),
    value: Number(minor),
    currency,
    reason: safe(reason),
    eventDate: at,
    all: value,
  }
}

/** https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures */
function isSigned(item: Item, hmacKey: string): boolean {
  const data = item.all['additionalData']
  const given = isObject(data) ? data['hmacSignature'] : null
  if (typeof given !== 'string' || !HMAC_KEY.test(hmacKey)) return false
  const { pspReference, originalReference, merchantAccountCode, merchantReference, value, currency } = item
  const references = [pspReference, originalReference, merchantAccountCode, merchantReference]
  const signed = [...references, value, currency, item.eventCode, item.success].join(':')
  const own = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed).digest()
  const theirs = Buffer.from(given, 'base64')
  return theirs.length === own.length && timingSafeEqual(theirs, own)
}

export const HMAC_KEY = /^[0-9A-Fa-f]{64}$/

function toNotifications(item: Item): readonly Notification[] {
  const row = Object.hasOwn(EVENTS, item.eventCode) ? EVENTS[item.eventCode] : undefined
  if (!row || 'ignored' in row) return []
  switch (row.takes) {
    case 'authorization':
      return [toAuthorization(item)]
    case 'capture':
    case 'void':
    case 'refund':
    case 'increment':
      return [toOutcome(item, row.takes, modificationFailure(item))]
    case 'closed_offer':
      return toClosedOffer(item)
    case 'capture_failed':
      return lateFailuresOfCapture(item)
    case 'refund_failed':
      return item.success ? [lateFailure(item, 'refund', ownSubject(item))] : []
    case 'chargeback':
    case 'chargeback_reversal':
    case 'dispute':
      return toDispute(item, row)
    case 'report':
      return toReport(item)
  }
}

/** Its own reference, and the id of the attempt that we gave as ours. */
function ownSubject({ pspReference, merchantReference }: Item): Subject {
  return { reference: pspReference, attemptId: UUID.test(merchantReference) ? merchantReference : null }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Failure = { readonly code: ErrorCode; readonly isRetriable?: false }

function toOutcome(item: Item, about: Outcome['about'], { code, ...over }: Failure): Outcome {
  const { pspReference: reference, success } = item
  const facts = factsIn(item)
  const approved = { outcome: 'approved', reference, facts } as const
  const answer = success ? approved : { ...refused(code, facts, reference), ...over }
  return { ...ownSubject(item), about, answer }
}

/** The bank may have held a part, if the payment allows it. */
function toAuthorization(item: Item): Outcome {
  const outcome = toOutcome(item, 'authorization', refusalOf(item))
  if (outcome.answer.outcome !== 'approved') return outcome
  const stated = authorisedIn(item.all, item.currency)
  const held = stated?.['currency'] === item.currency ? Number(stated['value']) : item.value
  const amount = fromAdyen(Math.min(held, item.value), item.currency)
  return amount === null ? outcome : { ...outcome, answer: { ...outcome.answer, amount } }
}

function factsIn(item: Item): Facts {
  const facts = factsOf(item.all)
  return { ...facts, rawCode: item.success ? 'true' : (codeOf(item) ?? 'false'), rawDescription: item.reason }
}

/** A webhook names the reason of a refusal in words, where an answer has its code. */
function codeOf({ reason }: Item): string | null {
  const words = reason?.toLowerCase()
  return Object.keys(REFUSALS).find((code) => REFUSALS[code]?.reason.toLowerCase() === words) ?? null
}

function refusalOf(item: Item): Failure {
  const { code, isRetriable } = REFUSALS[codeOf(item) ?? ''] ?? {}
  return { code: code ?? 'other_decline', ...(isRetriable === false && { isRetriable }) }
}

function modificationFailure({ reason }: Item): Failure {
  const code = MODIFICATION_REASONS.find(([start]) => reason?.startsWith(start))?.[1]
  return { code: code ?? 'service_error' }
}

/** Adyen's reference of an offer need not be that of its payment, so only our own id says whose end it is. */
function toClosedOffer(item: Item): readonly Outcome[] {
  const { attemptId } = ownSubject(item)
  if (!item.success || !attemptId) return []
  const facts = { rawCode: item.eventCode, rawDescription: item.reason }
  const answer = refused('cancelled_buyer_approval', facts, item.pspReference)
  return [{ about: 'authorization', reference: null, attemptId, answer }]
}

/**
 * A capture has a reference of its own. That of a payment that was captured in one step is not known to us, and the
 * failure is that of the payment. The message does not say which it is; what does not fit is not found.
 */
function lateFailuresOfCapture(item: Item): readonly LateFailure[] {
  if (!item.success) return []
  const { attemptId } = ownSubject(item)
  return [
    lateFailure(item, 'capture', ownSubject(item)),
    lateFailure(item, 'authorization', {
      reference: item.originalReference || null,
      attemptId: attemptId ?? null,
    }),
  ]
}

function lateFailure(item: Item, of: LateFailure['of'], subject: Subject): LateFailure {
  const facts = { rawCode: item.eventCode, rawDescription: item.reason }
  return { ...subject, about: 'late_failure', of, code: 'service_error', failedAt: item.eventDate, facts }
}

/** All events of a dispute have its reference. */
function toDispute(item: Item, { takes, stage }: DisputeRow): readonly (Dispute | DisputeStep)[] {
  const { currency, originalReference, merchantReference, pspReference, reason, eventDate } = item
  const amount = fromAdyen(Math.abs(item.value), currency)
  if (!item.success) return []
  const data = isObject(item.all['additionalData']) ? item.all['additionalData'] : {}
  const code = data['chargebackReasonCode'] ?? data['nofReasonCode'] ?? data['rfiReasonCode']
  const common = {
    dispute: pspReference,
    reference: originalReference || null,
    attemptId: UUID.test(merchantReference) ? merchantReference : null,
    stage: stageAt(takes, stage, data['disputeStatus']),
    providerStage: item.eventCode,
    code: safe(String(code ?? '').trim()),
    reason,
    postedAt: eventDate,
    respondBy: momentIn(data['defensePeriodEndsAt']),
  }
  if (takes === 'dispute') {
    return [{ ...common, about: takes, amount, currency: amount === null ? null : currency }]
  }
  if (amount === null) return []
  const id = disputeId(pspReference, item.eventCode === 'SECOND_CHARGEBACK')
  return [{ ...common, about: takes, id, amount, currency }]
}

/** Money that comes back while the bank still looks at the defense decides nothing yet. */
function stageAt(takes: DisputeRow['takes'], stage: DisputeRow['stage'], status: unknown) {
  if (takes === 'chargeback_reversal' && status === 'Pending') return null
  return DISPUTE_STATUSES[String(status)] ?? stage
}

/** Adyen tells it of chargebacks that can be defended. */
function momentIn(value: unknown): Date | null {
  const at = new Date(typeof value === 'string' ? value : '')
  return Number.isNaN(at.getTime()) ? null : at
}

/** The address in `reason` is not signed, so it is not used: only the name of the file is. */
function toReport({ pspReference, eventDate, success, all }: Item): readonly Notification[] {
  const named =
    reportNamed(pspReference, eventDate) ??
    reportNamed(String(all['reason']).split('/').at(-1) ?? '', eventDate)
  const file = success ? named : null
  return file ? [{ about: 'report', file }] : []
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
