import { createHmac } from 'node:crypto'
import type { Link as AnyLink } from '#connectors/contract/connector.ts'
import type {
  DisputeAnswer,
  DisputeOrder,
  DueMessage,
  Lever,
  LeverAnswer,
  LeverOrder,
  MessageAnswer,
  MessageOrder,
  Simulation,
} from '#connectors/contract/simulation.ts'
import { isNotice, type Notice } from './notice.ts'
import { exchange } from './wire.ts'

type Link = Pick<AnyLink, 'fetch' | 'fields'>

/** Notifications that the simulated processor sends by itself, and disputes and levers on request. */
export const simulation: Simulation = {
  nextMessageAt,
  dueMessages,
  noteSent,
  compose,
  dispute,
  arm,
  listArmed,
  disarm,
}

async function nextMessageAt(link: Link): Promise<Date | null> {
  const body = await ask(link, 'agenda')
  const at = body['next_notice_at']
  return typeof at === 'string' ? new Date(at) : null
}

async function dueMessages(link: Link): Promise<DueMessage[]> {
  const { notices } = await ask(link, 'notices')
  if (!Array.isArray(notices) || !notices.every(isNotice))
    throw new Error('the processor’s answer is unreadable')
  return notices.map((notice) => toMessage(notice, link))
}

const NOTICE_EVENTS = {
  chargeback: 'chargeback',
  chargebackReversal: 'chargeback_reversal',
  disputeEnd: 'dispute',
  lateFailure: 'late_failure',
} as const

function toMessage({ operation, reference }: Notice, link: Link): DueMessage {
  const body = { event: NOTICE_EVENTS[operation], payment_service_event_id: reference }
  return { id: reference, message: signed(body, link) }
}

/** Signed as the messages are that merchants write themselves. */
function signed(content: object, { fields }: Link): DueMessage['message'] {
  const body = Buffer.from(JSON.stringify(content))
  const secret = fields['webhook_secret']
  const signature = secret ? createHmac('sha256', secret).update(body).digest('hex') : null
  return { headers: signature ? { 'x-signature': signature } : {}, body }
}

/** How messages name what they are about. A void has no id of its own. */
const SUBJECTS: Readonly<Record<string, readonly [event: string, field: string]>> = {
  authorize: ['authorization', 'payment_service_transaction_id'],
  capture: ['capture', 'payment_service_capture_id'],
  void: ['void', 'payment_service_transaction_id'],
  refund: ['refund', 'payment_service_refund_id'],
}

async function compose({ transactionId, event }: MessageOrder, link: Link): Promise<MessageAnswer> {
  const query = event === null ? '' : `?event=${encodeURIComponent(event)}`
  const reply = await exchange(link, { path: `messages/${encodeURIComponent(transactionId)}${query}` })
  if (reply?.status === 404) return { outcome: 'refused' }
  if (reply?.status !== 200) throw new Error('the processor’s answer is unreadable')
  const { operation, status, reference, code, root, notice } = reply.body
  if (isNotice(notice)) {
    return {
      outcome: 'composed',
      event: NOTICE_EVENTS[notice.operation],
      message: toMessage(notice, link).message,
    }
  }
  const [about = '', field = ''] = SUBJECTS[String(operation)] ?? []
  const end = status === 'approved' ? 'succeeded' : String(code).endsWith('.failed') ? 'failed' : 'declined'
  const said = event ?? `${about}.${end}`
  // The capture of a sale is known by the authorization.
  const name = said.startsWith('capture.') && reference === root ? 'payment_service_transaction_id' : field
  const content = { event: said, [name]: operation === 'void' ? root : reference }
  return { outcome: 'composed', event: said, message: signed(content, link) }
}

async function noteSent(
  { id, isTaken }: { readonly id: string; readonly isTaken: boolean },
  link: Link,
): Promise<void> {
  await ask(link, `notices/${encodeURIComponent(id)}`, { taken: isTaken })
}

const REFUSALS = ['not_captured', 'no_chargeback', 'over_captured', 'over_chargeback'] as const

async function dispute(order: DisputeOrder, link: Link): Promise<DisputeAnswer> {
  const { attemptId, ...rest } = order
  const body = {
    ...rest,
    attempt_id: attemptId,
    tell_disputes: link.fields['dispute_notifications'] === 'true',
  }
  const reply = await exchange(link, { path: 'disputes', body })
  if (reply?.status === 404) return { outcome: 'refused', why: 'unknown_payment' }
  const why = REFUSALS.find((refusal) => reply?.status === 409 && refusal === reply.body['error'])
  if (why === 'over_captured' || why === 'over_chargeback') {
    return { outcome: 'refused', why, left: Number(reply?.body['left']) }
  }
  if (why) return { outcome: 'refused', why }
  if (reply?.status !== 200 || !isNotice(reply.body)) throw new Error('the processor’s answer is unreadable')
  const { reference: id, amount, currency, code, description: reason, at } = reply.body
  return { outcome: 'disputed', id, amount, currency, code, reason, postedAt: new Date(at) }
}

async function arm(order: LeverOrder, link: Link): Promise<LeverAnswer> {
  const reply = await exchange(link, { path: 'levers', body: order })
  if (reply?.status === 400 && reply.body['field'] === 'code')
    return { outcome: 'refused', why: 'unknown_code' }
  if (reply?.status === 409) return { outcome: 'refused', why: 'too_many' }
  if (reply?.status !== 200) throw new Error('the processor did not arm the lever')
  return { outcome: 'armed', lever: toLever(reply.body) }
}

async function listArmed(link: Link): Promise<Lever[]> {
  const { levers } = await ask(link, 'levers')
  if (!Array.isArray(levers)) throw new Error('the processor’s answer is unreadable')
  return levers.map(toLever)
}

async function disarm(link: Link): Promise<void> {
  await ask(link, 'disarm', {})
}

function toLever(body: Readonly<Record<string, unknown>>): Lever {
  const { id, operation, effect, code, armed_at } = body
  return { id, operation, effect, code, armedAt: new Date(String(armed_at)) } as Lever
}

async function ask(link: Link, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const reply = await exchange(link, body ? { path, body } : { path })
  if (reply?.status !== 200) throw new Error(`the processor did not answer ${path.split('/')[0]}`)
  return reply.body
}
