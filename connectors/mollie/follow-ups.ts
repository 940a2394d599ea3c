import type { Answer, Link } from '#connectors/contract/connector.ts'
import type { CancelOrder, CaptureOrder, RefundOrder, VoidOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { CAPTURE_STATUSES, REFUND_STATUSES } from './mapping.ts'
import { toMollie } from './money.ts'
import { askFor, factsOf, type Payment, paymentIn } from './read-payment.ts'
import { attemptOf, isId, isObject, type Json, type Reply, send, toRefusal } from './wire.ts'

/** What is done with the money of a payment, and leaves an object with our mark. */
export const ACTS = {
  capture: { list: 'captures', prefix: 'cpt', statuses: CAPTURE_STATUSES },
  refund: { list: 'refunds', prefix: 're', statuses: REFUND_STATUSES },
} as const
export type Act = keyof typeof ACTS

/** A last capture of a part says so in its mark, because what Mollie shows of it has to be enough to release the rest. */
export async function capture(order: CaptureOrder, link: Link): Promise<Answer> {
  const isAll = order.capturedAmount + order.amount >= order.authorizedAmount
  return act('capture', order, { link, ...(order.isFinal && !isAll && { mark: LAST }) })
}

const LAST = { last: true } as const

export function refund(order: RefundOrder, link: Link): Promise<Answer> {
  return act('refund', order, { link })
}

type Marked = { readonly link: Link; readonly mark?: typeof LAST }

async function act(name: Act, order: CaptureOrder | RefundOrder, { link, mark }: Marked): Promise<Answer> {
  const { attemptId, reference, reconciliationId, amount, currency } = order
  if (!isId('tr', reference)) return refused('unknown_service_resource')
  const reply = await send(link, {
    method: 'POST',
    path: `payments/${reference}/${ACTS[name].list}`,
    key: attemptId,
    body: {
      amount: toMollie(amount, currency),
      description: reconciliationId,
      metadata: { attempt: attemptId, ...mark },
    },
  })
  // Captured or refunded already, or not paid yet.
  if (reply.kind !== 'answer') return toRefusal(reply, 'unexpected_state')
  return attemptOf(reply.body) === attemptId
    ? withoutRest(name, { shown: reply.body, payment: reference }, link)
    : lost('Mollie answered about another request')
}

/** A capture or a refund as Mollie shows it. */
export function readAct(name: Act, body: Json): Answer {
  const { prefix, statuses } = ACTS[name]
  const { resource, id, status } = body
  if (resource !== name || !isId(prefix, id) || typeof status !== 'string') {
    return lost(`Mollie answered with something else than a ${name}`)
  }
  const meaning = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  const facts = { rawCode: status }
  switch (meaning) {
    case 'done':
      return { outcome: 'approved', reference: id, facts }
    case 'waiting':
      return { outcome: 'pending', reference: id, facts }
    case undefined:
      return lost('Mollie answered with a status that we do not know')
    default:
      return refused(meaning, facts, id)
  }
}

type Made = { readonly shown: Json; readonly payment: string }

/**
 * What a capture or a refund shows. After a last capture of a part, Mollie still holds the rest. Once the capture has succeeded, the
 * connector releases the rest, and answers that the capture succeeded only then. A look-up after a crash or a lost answer does the same.
 * Mollie refuses a second release.
 */
export async function withoutRest(name: Act, { shown, payment }: Made, link: Link): Promise<Answer> {
  const answer = readAct(name, shown)
  const { metadata } = shown
  const isLast = name === 'capture' && isObject(metadata) && metadata['last'] === true
  if (!isLast || answer.outcome !== 'approved') return answer
  const path = `payments/${payment}/release-authorization`
  const reply = await send(link, { method: 'POST', path, key: `${attemptOf(shown)}-rest` })
  const isOver = reply.kind !== 'lost' && [202, 422].includes(reply.status)
  return isOver ? answer : lost('Mollie has captured the payment, and has not released the rest yet')
}

/** Releases all that is not captured. Mollie carries it out later, and tells it by the status of the payment alone. */
export async function release(order: VoidOrder, link: Link): Promise<Answer> {
  const { attemptId, reference } = order
  if (!isId('tr', reference)) return refused('unknown_service_resource')
  const path = `payments/${reference}/release-authorization`
  const reply = await send(link, { method: 'POST', path, key: attemptId })
  if (reply.kind !== 'answer') return toRefusal(reply, 'unexpected_state')
  return reply.status === 202
    ? { outcome: 'pending', reference, facts: {} }
    : lost('Mollie answered with something else than a receipt')
}

/** Ends a payment that the buyer has not approved. One that has ended by itself is as good. */
export async function cancel(order: CancelOrder, link: Link): Promise<Answer> {
  const { attemptId, reference } = order
  if (!isId('tr', reference)) return refused('unknown_service_resource')
  const path = `payments/${reference}`
  const reply = await send(link, { method: 'DELETE', path, key: attemptId })
  if (reply.kind === 'answer') return readEnd(reply)
  if (reply.kind === 'error' && reply.status === 422) {
    const shown = readEnd(await askFor(link, reference))
    if (shown.outcome === 'approved') return shown
  }
  return toRefusal(reply, 'unexpected_state')
}

/** What a payment shows of its cancellation. */
export function readEnd(reply: Reply): Answer {
  const payment = reply.kind === 'answer' ? paymentIn(reply.body) : null
  if (!payment) return lost('Mollie answered with something else than a payment')
  return hasEnded(payment)
    ? { outcome: 'approved', reference: payment.id, facts: factsOf(payment) }
    : lost('Mollie has not ended the payment')
}

function hasEnded({ status }: Payment): boolean {
  return status === 'canceled' || status === 'expired' || status === 'failed'
}
