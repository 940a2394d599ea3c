import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Link, Message, Notification, Reading } from '#connectors/contract/connector.ts'
import { safe, unread } from '#connectors/contract/requests.ts'
import { codeOf, PAYOUTS } from './mapping.ts'
import { payoutOf } from './payout.ts'
import { isRecord, textOf, type Wire } from './wire.ts'

/** The signature covers no time. A message that comes again changes nothing. */
export async function readNotification({ headers, body }: Message, link: Link): Promise<Reading> {
  if (!isSigned(headers['event-signature'] ?? '', body, link.fields['webhook_secret'] ?? ''))
    return rejected('the signature is missing or does not fit')
  const message = parse(body)
  const details = message?.['eventDetails']
  if (!message || !isRecord(details) || typeof details['type'] !== 'string')
    return rejected('the body is no event of Worldpay')
  const notification = toNotification(message, details)
  const read = { outcome: 'read', acknowledgement: 'OK' } as const
  return notification === 'unread'
    ? { ...read, notifications: [], ...unread(details['type']) }
    : { ...read, notifications: notification ? [notification] : [] }
}

/** As in `1/SHA256/3a5c…,2/SHA256/…`: one signature for each secret while they change. */
function isSigned(header: string, body: Buffer, secret: string): boolean {
  if (secret === '') return false
  // Worldpay does not say whether a secret in hexadecimal digits is meant as text or as bytes.
  const keys = [
    Buffer.from(secret),
    ...(/^([0-9a-f]{2})+$/i.test(secret) ? [Buffer.from(secret, 'hex')] : []),
  ]
  const expected = keys.map((key) => createHmac('sha256', key).update(body).digest())
  return header.split(',').some((one) => {
    const signature = /^\s*\d+\/SHA256\/([0-9a-f]{64})\s*$/i.exec(one)?.[1]
    return expected.some((digest) => signature && timingSafeEqual(Buffer.from(signature, 'hex'), digest))
  })
}

/** What Worldpay tells of payments. Most is no news: see `toNotification`. */
const KNOWN = [
  ...['sentForSettlement', 'sentForRefund', 'refundFailed', 'sentForAuthorization', 'authorized', 'refused'],
  ...['cancelled', 'expired', 'error'],
]

/** References of captures and refunds are ids of attempts. */
const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Null: nothing that is of interest to us. Authorizations are among that: the message lacks the links that captures need, so they
 * are asked about. So are cancellations: the message does not name ours.
 */
function toNotification(message: Wire, details: Wire): Notification | 'unread' | null {
  const reference = textOf(details, 'reference')
  const type = String(details['type'])
  if (details['classification'] === 'payout')
    return Object.hasOwn(PAYOUTS, type) || type === 'error' ? payoutIn(details) : 'unread'
  if (!KNOWN.includes(type)) return 'unread'
  // Without a reference, it is the capture of a payment in one step. Another one is of another system: Worldpay holds back the
  // messages after one that is not taken.
  if (reference === null || !OURS.test(reference)) return null
  const subject = { reference, attemptId: reference }
  const approved = { outcome: 'approved', reference, facts: {} } as const
  switch (type) {
    case 'sentForSettlement':
      return { about: 'capture', ...subject, answer: approved }
    case 'sentForRefund':
      return { about: 'refund', ...subject, answer: approved }
    case 'refundFailed': {
      const refusal = isRecord(details['refund']) ? details['refund']['refusal'] : null
      const { code, description } = isRecord(refusal) ? refusal : {}
      const facts = { rawCode: safe(code), rawDescription: safe(description) }
      const failedAt = new Date(String(message['eventTimestamp']))
      return {
        about: 'late_failure',
        of: 'refund',
        ...subject,
        code: code === undefined ? 'service_decline' : codeOf(safe(code)),
        failedAt: Number.isNaN(failedAt.getTime()) ? new Date(0) : failedAt,
        facts,
      }
    }
    default:
      return null
  }
}

/** Of a payout, by the reference that it was sent with. What is still pending is no news. */
function payoutIn(details: Wire): Notification | null {
  const reference = textOf(details, 'transactionReference') ?? ''
  if (!OURS.test(reference)) return null
  const answer = payoutOf({ ...details, outcome: details['type'] }, reference)
  if (answer.outcome === 'unknown' || answer.outcome === 'pending') return null
  return { about: 'payout', reference, attemptId: reference, answer }
}

function parse(body: Buffer): Wire | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function rejected(message: string): Reading {
  return { outcome: 'rejected', message }
}
