import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, CompleteOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lackingIn, type MethodRow } from './methods.ts'
import { toPaymentRequest } from './payment-request.ts'
import { lookUp, readPayment } from './read-payment.ts'
import { send } from './wire.ts'

export async function authorize(order: AuthorizeOrder, link: Link, row: MethodRow): Promise<AuthorizeAnswer> {
  if (order.redirectUrl === null) {
    return refused('invalid_request_parameters', { rawDescription: 'the buyer has no address to return to' })
  }
  const { currency, attemptId } = order
  if (row.currencies !== 'all' && !row.currencies.includes(currency)) return refused('unsupported_currency')
  const body = toPaymentRequest(order, row, link.fields['webhook_url'] || undefined)
  const lacking = lackingIn(body, row.asks)
  if (lacking) return lacking
  const reply = await send(link, { method: 'POST', path: 'payments', body, key: attemptId })
  return readPayment(reply, { attemptId, order })
}

/** The buyer is back, or may be: the payment says what became of it. The buyer brings nothing of Mollie's. */
export async function complete(order: CompleteOrder, link: Link): Promise<AuthorizeAnswer> {
  const answer = await lookUp(link, order.reference, { attemptId: order.attemptId, order })
  return answer.outcome === 'approval_required'
    ? { outcome: 'pending', reference: order.reference, facts: {} }
    : answer
}
