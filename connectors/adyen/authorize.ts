import { createHash } from 'node:crypto'
import type { AuthorizeAnswer, Link, Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, CompleteOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { again, lost } from '#connectors/contract/requests.ts'
import { lackingIn } from './methods.ts'
import { type Method, toPaymentRequest } from './payment-request.ts'
import { readPayment } from './read-payment.ts'
import { send } from './wire.ts'

export async function authorize(order: AuthorizeOrder, link: Link, method: Method): Promise<AuthorizeAnswer> {
  if (
    order.redirectUrl === null &&
    (order.threeDSecure === 'provider' || order.instrument.kind === 'redirect')
  ) {
    return refused('invalid_request_parameters', { rawDescription: 'the buyer has no address to return to' })
  }
  const missing = unenteredIn(order, method.buyerFields)
  if (missing !== undefined) return withoutField(missing, link)
  const body = toPaymentRequest(order, method, link)
  const lacking = 'outcome' in body ? (body as Refused) : lackingIn(body, method.asks)
  if (lacking) return lacking
  return readPayment(await send(link, { path: 'payments', body, key: order.attemptId }), order)
}

function unenteredIn({ instrument }: AuthorizeOrder, names: Method['buyerFields'] = []) {
  const given = instrument.kind === 'redirect' ? (instrument.fields ?? {}) : {}
  return names.find((name) => given[name] === undefined)
}

/** What the buyer has entered is kept nowhere. So a repetition lacks it, and says nothing about what was sent before. */
function withoutField(name: string, link: Link): AuthorizeAnswer {
  if ('isAgain' in link) return lost('what the buyer has entered is not kept, so Adyen cannot be asked again')
  const rawDescription = `Adyen needs payment_method.fields.${name} for this method`
  return refused('invalid_request_parameters', { rawDescription })
}

/**
 * Finishes a payment with what the buyer brought back. The key depends on it: Adyen would repeat its answer to a wrong
 * return when the right one comes.
 */
export async function complete(order: CompleteOrder, link: Link): Promise<AuthorizeAnswer> {
  const { redirectResult } = order.returned ?? {}
  const waiting = { outcome: 'pending', reference: order.reference, facts: {} } as const
  if (!redirectResult) return waiting
  const key = `${order.attemptId}-${createHash('sha256').update(redirectResult).digest('hex').slice(0, 16)}`
  const body = { details: { redirectResult } }
  const reply = await send(again(link), { path: 'payments/details', body, key })
  // What was brought back is not from Adyen. The payment still waits for its buyer.
  if (reply.kind === 'error' && reply.status === 422 && reply.errorCode === '14_018') return waiting
  return readPayment(reply, order)
}
