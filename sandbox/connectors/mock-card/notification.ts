import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Link, Message, Notification, Outcome, Reading } from '#connectors/contract/connector.ts'
import { isNotice, toNotification } from './notice.ts'
import { exchange, fromEntry, send } from './wire.ts'

const OUTCOMES = ['succeeded', 'declined', 'failed']
/** Each event must have one of these fields. */
const SUBJECTS = new Map([
  ['authorization', ['payment_service_transaction_id']],
  ['capture', ['payment_service_capture_id', 'payment_service_transaction_id']],
  ['void', ['payment_service_transaction_id']],
  ['refund', ['payment_service_refund_id']],
  ['payout', ['payment_service_payout_id']],
])
const ABOUT = new Map<string, Outcome['about']>([
  ['authorize', 'authorization'],
  ['capture', 'capture'],
  ['void', 'void'],
  ['refund', 'refund'],
  ['payout', 'payout'],
])

/** What the processor itself sends. It knows what each of them is about. */
const NOTICES = ['chargeback', 'chargeback_reversal', 'dispute', 'late_failure'] as const

type AnnouncedNotice = { readonly event: (typeof NOTICES)[number]; readonly noticeId: string }
type Announced = { readonly operation: string; readonly outcome: string; readonly reference: string }

/**
 * Merchants write these themselves, to end what the simulator answered with `pending`. The simulator's books
 * are updated, too.
 */
export async function readNotification(message: Message, link: Link): Promise<Reading> {
  if (!isSigned(message, link.fields['webhook_secret'])) return rejected('the signature does not fit')
  const told = read(message.body)
  if (typeof told === 'string') return rejected(told)
  if ('noticeId' in told) return readNotice(told, link)
  const body = { ...told, tell_disputes: link.fields['dispute_notifications'] === 'true' }
  const reply = await send(link, { path: 'settle', body })
  if (reply.kind === 'lost') return rejected('the processor could not be asked; send it again')
  if (reply.kind === 'refusal') {
    return rejected(
      reply.error === '409 already_ended'
        ? 'this has ended already, and otherwise'
        : 'the processor knows nothing by this id that could end so',
    )
  }
  const { entry } = reply
  // A sale is an authorization and its capture in one step. We know it as the authorization.
  const about = ABOUT.get(entry.operation)
  if (!about) return rejected('the processor knows nothing by this id that could end so')
  const { reference, attempt_id: attemptId = null } = entry
  return heard({ about, reference, attemptId, answer: fromEntry(entry) })
}

async function readNotice({ event, noticeId }: AnnouncedNotice, link: Link): Promise<Reading> {
  const reply = await exchange(link, { path: `notices/${encodeURIComponent(noticeId)}` })
  if (reply?.status === 404) return rejected('the processor knows no event by this id')
  if (reply?.status !== 200 || !isNotice(reply.body)) {
    return rejected('the processor could not be asked; send it again')
  }
  const notification = toNotification(reply.body)
  return notification.about === event
    ? heard(notification)
    : rejected('the processor knows this id as another event')
}

function isSigned({ headers, body }: Message, secret: string | undefined): boolean {
  if (!secret) return true
  const given = headers['x-signature'] ?? ''
  if (!/^[0-9a-f]{64}$/i.test(given)) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest())
}

/** The content of the message, or what is wrong with it. */
function read(body: Buffer): Announced | AnnouncedNotice | string {
  const message = parse(body)
  if (!message) return 'the body is not a JSON object'
  const event = typeof message['event'] === 'string' ? message['event'] : ''
  const notice = NOTICES.find((name) => name === event)
  if (notice) {
    const { payment_service_event_id: noticeId } = message
    return typeof noticeId === 'string'
      ? { event: notice, noticeId }
      : `${event} needs payment_service_event_id`
  }
  const [about = '', outcome = ''] = event.split('.')
  const subjects = SUBJECTS.get(about)
  if (!subjects || event !== `${about}.${outcome}` || !OUTCOMES.includes(outcome)) {
    return `event must be one of ${events().join(', ')}`
  }
  const subject = subjects.find((name) => message[name] !== undefined)
  const reference = subject === undefined ? undefined : message[subject]
  if (typeof reference !== 'string') return `${event} needs ${subjects.join(' or ')}`
  return { operation: about === 'authorization' ? 'authorize' : about, outcome, reference }
}

export function events(): string[] {
  const ended = [...SUBJECTS.keys()].flatMap((about) => OUTCOMES.map((outcome) => `${about}.${outcome}`))
  return [...ended, ...NOTICES]
}

function heard(notification: Notification): Reading {
  return { outcome: 'read', notifications: [notification] }
}

function rejected(message: string): Reading {
  return { outcome: 'rejected', message }
}

function parse(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
