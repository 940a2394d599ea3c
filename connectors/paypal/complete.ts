import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { CompleteOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { LOST, ofRepetition, refusalIn, toLaterRefusal, unknown } from './answers.ts'
import { MAPPING } from './mapping.ts'
import { type Expected, type ReadOrder, readOrder, toAnswer } from './read-order.ts'
import { CANCELLED } from './return-address.ts'
import { objectIn, part, type Reply, send, textIn } from './wire.ts'

/**
 * Charges an order that the buyer has approved. What the browser brings back decides nothing: PayPal is asked for the
 * order by our own reference.
 */
export async function complete(order: CompleteOrder, link: Link): Promise<AuthorizeAnswer> {
  const { attemptId, reference, returned, intent, amount, currency } = order
  const expected = { intent, amount, currency, orderId: reference }
  const reply = await getOrder(reference, link)
  if (isGone(reply)) return gone(reference)
  const read = readFound(reply, expected)
  if ('outcome' in read) return read
  const answer = toAnswer(read, expected)
  if (answer === 'approved_by_buyer') return charge(read, { ...expected, attemptId }, link)
  const isCancelled = answer.outcome === 'approval_required' && returned?.[CANCELLED] !== undefined
  // The buyer may still approve on a page that is open. Nothing is charged then, because we do not ask for it.
  return isCancelled
    ? refused('cancelled_buyer_approval', { ...answer.facts, rawCode: 'CANCELLED' }, reference)
    : answer
}

export function getOrder(id: string, link: Link): Promise<Reply> {
  return send(link, { method: 'GET', path: `/v2/checkout/orders/${part(id)}` })
}

export function readFound(reply: Reply, expected: Expected): ReadOrder | ReturnType<typeof unknown> {
  if (reply.kind !== 'answer' || reply.status !== 200) return LOST
  return readOrder(reply.body, expected)
}

/** Orders that are not charged end after some hours. One that was charged stays. */
export function isGone(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 404 && refusalIn(reply) !== null
}

export function gone(reference: string): AuthorizeAnswer {
  return refused('cancelled_buyer_approval', { rawCode: 'RESOURCE_NOT_FOUND' }, reference)
}

type Charging = Expected & { readonly attemptId: string }

/**
 * Under a key of its own: the attempt's id is the key of the order. A buyer who comes back twice, and a notification, let
 * us charge again.
 */
export async function charge(
  found: ReadOrder,
  { attemptId, ...expected }: Charging,
  link: Link,
): Promise<AuthorizeAnswer> {
  const stop = stoppedBy3DSecure(found)
  if (stop) return stop
  const reply = await send(link, {
    method: 'POST',
    path: `/v2/checkout/orders/${part(found.id)}/${expected.intent}`,
    key: `${attemptId}-complete`,
    body: {},
  })
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) {
    const answer = ofRepetition(toLaterRefusal(reply))
    return answer.outcome === 'unknown' ? answer : { ...answer, reference: found.id }
  }
  const read = readOrder(reply.body, { ...expected, orderId: found.id })
  if ('outcome' in read) return read
  const answer = toAnswer(read, expected)
  return answer === 'approved_by_buyer'
    ? unknown('the buyer has approved, and the order is not charged')
    : answer
}

/** Whether the card may be charged, by PayPal's table. Combinations that are not in it stop the payment. */
function stoppedBy3DSecure({ id, body }: ReadOrder): AuthorizeAnswer | null {
  const card = objectIn(objectIn(body, 'payment_source'), 'card')
  if (Object.keys(card).length === 0) return null
  const result = objectIn(card, 'authentication_result')
  const secure = objectIn(result, 'three_d_secure')
  const enrollment = textIn(secure, 'enrollment_status') ?? '-'
  const status = textIn(secure, 'authentication_status') ?? '-'
  const name = `${enrollment}/${status}/${textIn(result, 'liability_shift') ?? '-'}`
  if (MAPPING.threeDSecure[name] === 'charge') return null
  return refused('requires_buyer_authentication', { rawCode: `3DS ${name}` }, id)
}
