import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, CompleteOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { toPaymentRequest } from './payment-request.ts'
import { readPayment } from './read-payment.ts'
import { send, toRefusal } from './wire.ts'

export async function authorize(order: AuthorizeOrder, link: Link): Promise<AuthorizeAnswer> {
  if (order.threeDSecure === 'provider' && order.redirectUrl === null) {
    return refused('invalid_request_parameters', { rawDescription: 'the buyer has no address to return to' })
  }
  const body = toPaymentRequest(order, link)
  if ('outcome' in body) return body as AuthorizeAnswer
  const reply = await send(link, { path: 'payments', body, key: order.attemptId })
  // No page names a 404 here: a gateway may have answered.
  if (reply.kind === 'error' && reply.status === 404) return lost('Checkout.com has no such address')
  return reply.kind === 'answer' ? readPayment(reply.body, order) : toRefusal(reply)
}

/** The buyer is back, or may be: the payment says what became of it, whatever the address claims. */
export function complete(order: CompleteOrder, link: Link): Promise<AuthorizeAnswer> {
  return lookUp(link, order.reference, order)
}

export async function lookUp(
  link: Link,
  reference: string,
  asked: Parameters<typeof readPayment>[1],
): Promise<AuthorizeAnswer> {
  const reply = await send(link, { method: 'GET', path: `payments/${encodeURIComponent(reference)}` })
  if (reply.kind !== 'answer' || !('metadata' in reply.body)) {
    return lost(reply.kind === 'lost' ? reply.reason : 'Checkout.com does not show this payment')
  }
  const answer = readPayment(reply.body, asked)
  // The page was shown before. A buyer who has left it does not come back.
  return answer.outcome === 'approval_required' ? { ...PENDING, reference: answer.reference } : answer
}

const PENDING = { outcome: 'pending', facts: {} } as const
