import type { Answer, Link, Refused, SyncAnswer } from '#connectors/contract/connector.ts'
import { cut } from '#connectors/contract/latin-letters.ts'
import type { Contact, PayoutMerchant, PayoutOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, withoutNulls } from '#connectors/contract/requests.ts'
import { isExact } from './currency.ts'
import { markOf } from './follow-ups.ts'
import { PAYOUTS } from './mapping.ts'
import { addressOf, expiryOf, NOT_EXACT } from './payment-request.ts'
import { factsOf, refusalOf } from './read-payment.ts'
import { isId, isObject, type Json, send, toRefusal } from './wire.ts'

/** Sends money from a currency account to a card. Checkout.com takes the order; the outcome comes later. */
export async function payout(order: PayoutOrder, link: Link): Promise<Answer> {
  const body = toPayoutRequest(order, link)
  if ('outcome' in body) return body as Refused
  const reply = await send(link, { path: 'payments', body, key: order.attemptId })
  // No page names a 404 here: a gateway may have answered.
  if (reply.kind === 'error' && reply.status === 404) return lost('Checkout.com has no such address')
  return reply.kind === 'answer' ? readPayout(reply.body, order.attemptId) : toRefusal(reply)
}

/** What became of a payout, by Checkout.com's id of it. */
export async function lookUpPayout(link: Link, reference: string, attemptId: string): Promise<Answer> {
  const reply = await send(link, { method: 'GET', path: `payments/${encodeURIComponent(reference)}` })
  if (reply.kind === 'answer' && 'metadata' in reply.body) return readPayout(reply.body, attemptId)
  return lost(reply.kind === 'lost' ? reply.reason : 'Checkout.com does not show this payout')
}

/** The body of `POST /payments`, or why nothing is sent. The same order gives the same body. */
function toPayoutRequest(order: PayoutOrder, { fields, options }: Link): Json | Refused {
  const { amount, currency, instrument, billing, merchant } = order
  const channel = options['processing_channel_id'] ?? fields['processing_channel_id']
  const source = options['source_id'] ?? fields['currency_account_id']
  if (!channel || !source) {
    return refused('invalid_service_configuration', {
      rawDescription: 'enter currency_account_id and processing_channel_id: Checkout.com pays out from there',
    })
  }
  if (!isExact(amount, currency)) return NOT_EXACT
  if (instrument.kind !== 'card') {
    return refused('unsupported_payment_method', {
      rawDescription: 'Checkout.com gets the number of the card',
    })
  }
  const kind = order.category === 'online_gambling' ? GAMBLING : fields['funds_transfer_type']
  return {
    source: { type: 'currency_account', id: source },
    destination: {
      type: 'card',
      number: instrument.number.use(String),
      ...expiryOf(instrument.expirationDate),
      ...withoutNulls({ account_holder: holderOf(billing) }),
    },
    amount,
    currency,
    processing_channel_id: channel,
    reference: order.reconciliationId,
    metadata: { [markOf('payout')]: order.attemptId },
    ...(kind && { instruction: { funds_transfer_type: kind } }),
    ...(merchant && { billing_descriptor: { reference: cut(merchant.statement_descriptor, 22) } }),
    ...withoutNulls({ sender: merchant && senderOf(merchant, order.reconciliationId) }),
  }
}

/** Checkout.com's code for winnings, for all schemes. */
const GAMBLING = 'OG'

/** Who gets the money. Checkout.com takes both names or none. */
function holderOf(billing: Contact | null): Json | null {
  const { first_name, last_name } = billing ?? {}
  if (!first_name || !last_name) return null
  return withoutNulls({
    type: 'individual',
    first_name: cut(first_name, 50),
    last_name: cut(last_name, 50),
    billing_address: addressOf(billing),
  })
}

/** On whose behalf the money is sent. Checkout.com takes a sender with an address only. */
function senderOf({ name, address }: PayoutMerchant, reference: string): Json | null {
  const place = addressOf({ address })
  return (
    place && {
      type: 'corporate',
      company_name: cut(name, 50),
      address: place,
      reference: reference.slice(0, 15),
    }
  )
}

/** Reads a payout, as it was taken or as it is now. Strict: one that is only nearly right is unknown. */
export function readPayout(
  body: Json,
  attemptId: string,
): Exclude<SyncAnswer, { outcome: 'not_found' | 'approval_required' }> {
  const { id, status, metadata } = body
  const isOurs = metadata === undefined || (isObject(metadata) && metadata[markOf('payout')] === attemptId)
  if (!isId('pay', id) || !isOurs) return lost('Checkout.com answered with something else than this payout')
  switch (PAYOUTS[String(status)]) {
    case 'approved':
      return { outcome: 'approved', reference: id, facts: factsOf(body) }
    case 'pending':
      return { outcome: 'pending', reference: id, facts: factsOf(body) }
    case 'refused':
      return refusalOf(body, id)
    case 'returned':
      return returned(body, id)
    default:
      return lost('Checkout.com answered with a status that we do not know')
  }
}

/** The bank of the card has sent the money back. */
export function returned(body: Json, reference: string): Refused {
  return refused('issuer_decline', factsOf(body), reference)
}
