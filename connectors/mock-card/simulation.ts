import { createHmac } from 'node:crypto'
import type { Link as AnyLink } from '#connectors/contract/connector.ts'
import type {
  DisputeAnswer,
  DisputeOrder,
  DueMessage,
  Lever,
  LeverAnswer,
  LeverOrder,
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

/** Signed as the messages are that merchants write themselves. */
function toMessage({ operation, reference }: Notice, { fields }: Link): DueMessage {
  const event = {
    chargeback: 'chargeback',
    chargebackReversal: 'chargeback_reversal',
    lateFailure: 'late_failure',
  }
  const body = Buffer.from(JSON.stringify({ event: event[operation], payment_service_event_id: reference }))
  const secret = fields['webhook_secret']
  const signature = secret ? createHmac('sha256', secret).update(body).digest('hex') : null
  return { id: reference, message: { headers: signature ? { 'x-signature': signature } : {}, body } }
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
