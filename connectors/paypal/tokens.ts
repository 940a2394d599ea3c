import type { Answer, Approved, AuthorizeAnswer, Link, Unknown } from '#connectors/contract/connector.ts'
import type { ForgetTokenOrder, Instrument, TokenizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { secret } from '#connectors/contract/secret.ts'
import { toLaterRefusal, unknown, wrong } from './answers.ts'
import { cardOf } from './card-source.ts'
import { returnAddresses } from './return-address.ts'
import { type Json, listIn, objectIn, part, type Reply, send, textIn } from './wire.ts'

/**
 * Stores a card at once. A buyer with an account at PayPal agrees first: a setup token waits for that, and `sync` turns it
 * into a payment token.
 */
export async function tokenize(order: TokenizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const { instrument, attemptId, redirectUrl } = order
  if (instrument.kind === 'card') {
    const body = cardTokenBody(instrument)
    const path = '/v3/vault/payment-tokens'
    return readPaymentToken(await send(link, { method: 'POST', path, key: attemptId, body }))
  }
  if (instrument.kind !== 'redirect') {
    return wrong('unsupported_payment_method', 'PayPal does not store this kind of payment method')
  }
  const reply = await send(link, {
    method: 'POST',
    path: '/v3/vault/setup-tokens',
    key: attemptId,
    body: setupTokenBody(redirectUrl),
  })
  return finishSetup(reply, attemptId, link)
}

export function cardTokenBody(card: Instrument & { kind: 'card' }) {
  return { payment_source: { card: cardOf(card, { hasCode: true }) } }
}

export function setupTokenBody(redirectUrl: string) {
  const source = { usage_type: 'MERCHANT', experience_context: returnAddresses(redirectUrl) } as const
  return { payment_source: { paypal: source } }
}

export function paymentTokenBody(setupTokenId: string) {
  return { payment_source: { token: { id: setupTokenId, type: 'SETUP_TOKEN' } } } as const
}

/** Goes on with a setup token: waits for the buyer, or makes a payment token of it. */
export async function finishSetup(reply: Reply, attemptId: string, link: Link): Promise<AuthorizeAnswer> {
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) return toLaterRefusal(reply)
  const id = textIn(reply.body, 'id')
  const status = textIn(reply.body, 'status')
  if (id === null) return unknown('PayPal answered with a token that we cannot read')
  if (status === 'PAYER_ACTION_REQUIRED') return toApproval(id, reply.body)
  if (status !== 'APPROVED' && status !== 'VAULTED')
    return unknown('PayPal answered with a status that we do not know')
  const body = paymentTokenBody(id)
  const path = '/v3/vault/payment-tokens'
  return readPaymentToken(await send(link, { method: 'POST', path, key: `${attemptId}-token`, body }))
}

export function getSetupToken(id: string, link: Link): Promise<Reply> {
  return send(link, { method: 'GET', path: `/v3/vault/setup-tokens/${part(id)}` })
}

function toApproval(id: string, body: Json): AuthorizeAnswer {
  const url = textIn(
    listIn(body, 'links').find(({ rel }) => rel === 'approve'),
    'href',
  )
  if (url === null || !/^https?:\/\//.test(url))
    return unknown('PayPal asks the buyer, but does not say where')
  const facts = { rawCode: 'PAYER_ACTION_REQUIRED' }
  return { outcome: 'approval_required', reference: id, approval: { kind: 'redirect', url }, facts }
}

function readPaymentToken(reply: Reply): AuthorizeAnswer {
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) return toLaterRefusal(reply)
  return toToken(reply.body)
}

/** The token is a secret, so the answer's reference is the customer under whom PayPal keeps it. */
function toToken(body: Json): Approved | Unknown {
  const id = textIn(body, 'id')
  const customer = textIn(objectIn(body, 'customer'), 'id')
  const source = objectIn(body, 'payment_source')
  if (id === null || customer === null) return unknown('PayPal answered with a token that we cannot read')
  const label = textIn(objectIn(source, 'paypal'), 'email_address')
  return { outcome: 'approved', reference: customer, token: { value: secret(id), label }, facts: {} }
}

/** PayPal wants the token in the address. It has no other way to delete one. */
export async function forgetToken({ attemptId, token }: ForgetTokenOrder, link: Link): Promise<Answer> {
  const id = token.use(String)
  if (!/^[0-9a-zA-Z_-]{1,36}$/.test(id))
    return refused('unknown_service_resource', { rawCode: 'no token of PayPal' })
  const reply = await send(link, { method: 'DELETE', path: `/v3/vault/payment-tokens/${id}`, key: attemptId })
  if (reply.kind !== 'answer' || reply.status !== 204) return toLaterRefusal(reply)
  return { outcome: 'approved', reference: attemptId, facts: { rawCode: '204' } }
}
