import type { Answer, AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { ForgetTokenOrder, Instrument, TokenizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { expiry } from './instruments.ts'
import { readStored, writeStored } from './stored-card.ts'
import { isReference, type Json, send, toRefusal } from './wire.ts'

/** Stores a card at Adyen, without a payment. Adyen keeps tokens by shopper, and each of ours has a shopper of its own. */
export async function tokenize(order: TokenizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const { instrument, attemptId, tokenId } = order
  if (instrument.kind !== 'card') {
    return refused('unsupported_payment_method', { rawDescription: 'Adyen stores numbers of cards only' })
  }
  const reply = await send(link, {
    path: 'storedPaymentMethods',
    key: attemptId,
    body: {
      merchantAccount: link.fields['merchant_account'] ?? '',
      shopperReference: tokenId,
      recurringProcessingModel: 'CardOnFile',
      paymentMethod: cardOf(instrument),
    },
  })
  return reply.kind === 'answer' ? readToken(reply.body, tokenId) : toRefusal(reply)
}

function cardOf({ number, expirationDate, securityCode }: Instrument & { readonly kind: 'card' }): Json {
  return {
    type: 'scheme',
    number: number.use(String),
    ...expiry(expirationDate),
    ...(securityCode && { cvc: securityCode.use(String) }),
  }
}

function readToken({ id, shopperReference }: Json, tokenId: string): AuthorizeAnswer {
  if (!isReference(id) || (shopperReference !== undefined && shopperReference !== tokenId)) {
    return lost('Adyen answered with a token that we cannot read')
  }
  const value = writeStored({ shopperReference: tokenId, storedPaymentMethodId: id })
  return { outcome: 'approved', reference: tokenId, token: { value, label: null }, facts: {} }
}

/** Adyen wants the token in the address. It has no other way to delete one. */
export async function forgetToken({ attemptId, token }: ForgetTokenOrder, link: Link): Promise<Answer> {
  const stored = readStored(token)
  if (!stored) return refused('unknown_service_resource', { rawDescription: 'this is no token of Adyen' })
  const { shopperReference, storedPaymentMethodId } = stored
  const merchantAccount = link.fields['merchant_account'] ?? ''
  const query = new URLSearchParams({ shopperReference, merchantAccount })
  const reply = await send(link, {
    method: 'DELETE',
    path: `storedPaymentMethods/${storedPaymentMethodId}?${query}`,
    key: attemptId,
  })
  const isGone = reply.kind === 'error' && GONE.includes(reply.errorCode)
  if (reply.kind === 'empty' || isGone) {
    return { outcome: 'approved', reference: attemptId, facts: { rawCode: isGone ? reply.errorCode : '204' } }
  }
  return reply.kind === 'answer'
    ? lost('Adyen answered with something else than it should')
    : toRefusal(reply)
}

/** Adyen has no such token any more: an earlier request has deleted it. */
const GONE: readonly string[] = ['800', '803']
