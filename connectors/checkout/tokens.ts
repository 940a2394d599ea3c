import type { Answer, AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { ForgetTokenOrder, TokenizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, withoutNulls } from '#connectors/contract/requests.ts'
import { secret } from '#connectors/contract/secret.ts'
import { toSource } from './payment-request.ts'
import { readPayment } from './read-payment.ts'
import { isId, isObject, send, toRefusal } from './wire.ts'

/**
 * Stores a card at Checkout.com by a verification, which moves no money. It has an idempotency key, which the address for
 * stored cards has not.
 */
export async function tokenize(order: TokenizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const { instrument, attemptId } = order
  const { verification_currency: currency = '', processing_channel_id } = link.fields
  if (instrument.kind !== 'card') {
    return refused('unsupported_payment_method', {
      rawDescription: 'Checkout.com stores numbers of cards only',
    })
  }
  if (currency === '') {
    return refused('invalid_service_configuration', {
      rawDescription: 'verification_currency of the payment service is missing: cards are verified in it',
    })
  }
  const source = toSource({ instrument })
  if ('outcome' in source) return source as AuthorizeAnswer
  const reply = await send(link, {
    path: 'payments',
    key: attemptId,
    body: {
      source: { ...source, store_for_future_use: true },
      amount: 0,
      currency,
      metadata: { attempt: attemptId },
      ...withoutNulls({ processing_channel_id }),
      '3ds': { enabled: false, allow_upgrade: false },
    },
  })
  if (reply.kind !== 'answer') return toRefusal(reply)
  const answer = readPayment(reply.body, { attemptId, amount: 0, currency })
  if (answer.outcome !== 'approved') return answer
  const stored = isObject(reply.body['source']) ? reply.body['source']['id'] : null
  if (!isId('src', stored)) return lost('Checkout.com verified the card, and did not store it')
  return { ...answer, token: { value: secret(stored), label: null } }
}

export async function forgetToken({ attemptId, token }: ForgetTokenOrder, link: Link): Promise<Answer> {
  const id = token.use(String)
  if (!isId('src', id)) {
    return refused('unknown_service_resource', { rawDescription: 'this is no stored card of Checkout.com' })
  }
  const reply = await send(link, { method: 'DELETE', path: `instruments/${id}`, key: attemptId })
  // 404: an earlier request has deleted it.
  const isGone = reply.kind !== 'lost' && (reply.status === 204 || reply.status === 404)
  if (isGone) return { outcome: 'approved', reference: attemptId, facts: { rawCode: String(reply.status) } }
  return reply.kind === 'answer'
    ? lost('Checkout.com answered with something else than it should')
    : toRefusal(reply)
}
