import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { toRefusal, unknown } from './answers.ts'
import { orderBody } from './order-body.ts'
import { type Expected, readOrder, toAnswer } from './read-order.ts'
import { type Reply, send } from './wire.ts'

/**
 * Creates an order. A card or a stored token is charged by that. A buyer with an account at PayPal approves first, and so
 * does one whose card is checked by 3-D Secure: then `complete` charges.
 */
export async function authorize(order: AuthorizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const body = orderBody(order, link)
  if ('outcome' in body) return body
  return readCreated(await createOrder(order.attemptId, body, link), order)
}

export function createOrder(attemptId: string, body: object, link: Link): Promise<Reply> {
  return send(link, { method: 'POST', path: '/v2/checkout/orders', key: attemptId, body })
}

function readCreated(reply: Reply, order: AuthorizeOrder): AuthorizeAnswer {
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) return toRefusal(reply)
  const expected = expectedOf(order)
  const read = readOrder(reply.body, expected)
  if ('outcome' in read) return read
  const answer = toAnswer(read, expected)
  return answer === 'approved_by_buyer'
    ? unknown('the buyer has approved, and the order is not charged')
    : answer
}

export function expectedOf({ intent, amount, currency, attemptId }: AuthorizeOrder): Expected {
  return { intent, amount, currency, attemptId }
}
