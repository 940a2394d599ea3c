import {
  type Action,
  type Books,
  decisionOf,
  eventData,
  type Json,
  newId,
  type Payment,
  Refusal,
  type Reply,
} from './books.ts'
import { isObject } from './contract.ts'
import { CARDS, checkCard, isAmex } from './pay.ts'

/** The bank of this card takes no payouts. */
const INELIGIBLE_CARD = '4485040371536584'

/** `POST /payments` with a destination. Checkout.com takes the order; the outcome comes later. */
export function payOut(books: Books, request: Json, key: string | null): Reply {
  const destination = isObject(request['destination']) ? request['destination'] : {}
  const source = isObject(request['source']) ? request['source'] : {}
  checkCard(destination, books.now())
  const number = String(destination['number'])
  const codes = [
    !/^ca_\w{26}$/.test(String(source['id'])) && 'source_id_invalid',
    // It may be in the source or beside it.
    Number(request['amount'] ?? source['amount'] ?? 0) <= 0 && 'amount_invalid',
    (number === INELIGIBLE_CARD || isAmex(number)) && 'card_payout_not_supported',
  ].filter((code) => typeof code === 'string')
  if (codes.length > 0) throw new Refusal(422, codes)
  const payout: Payment = {
    id: newId('pay'),
    request,
    key,
    amount: Number(request['amount'] ?? source['amount']),
    currency: String(request['currency']),
    isEstimated: false,
    status: 'Pending',
    approved: false,
    requestedOn: books.now().toISOString(),
    authentication: null,
    actions: [],
    source: {
      type: 'card',
      expiry_month: destination['expiry_month'],
      expiry_year: destination['expiry_year'],
      last4: number.slice(-4),
      bin: number.slice(0, 6),
    },
  }
  payout.actions.push({
    id: newId('act'),
    type: 'Payout',
    amount: payout.amount,
    approved: null,
    response_code: CARDS[number] ?? '10000',
    processed_on: payout.requestedOn,
    reference: typeof request['reference'] === 'string' ? request['reference'] : null,
    metadata: isObject(request['metadata']) ? request['metadata'] : {},
  })
  books.payments.set(payout.id, payout)
  const { id, status } = payout
  const reference = request['reference']
  const instruction = { value_date: payout.requestedOn }
  return { status: 202, body: { id, status, ...(reference !== undefined && { reference }), instruction } }
}

/** `GET /payments/{id}` of a payout. */
export function showPayout(payout: Payment, origin: string): Json {
  const { id, amount, currency, status, approved, request, source, requestedOn } = payout
  const self = `${origin}/payments/${id}`
  return {
    id,
    requested_on: requestedOn,
    source: request['source'],
    destination: source,
    amount,
    currency,
    status,
    ...(status !== 'Pending' && { approved }),
    ...(typeof request['reference'] === 'string' && { reference: request['reference'] }),
    metadata: request['metadata'] ?? {},
    actions: payout.actions
      .filter((one) => one.approved !== null)
      .map((one) => ({ id: one.id, type: one.type, ...decisionOf(one.response_code) })),
    _links: { self: { href: self }, actions: { href: `${self}/actions` } },
  }
}

/** The bank of the card has sent the money back. */
export function giveBack(books: Books, payout: Payment): void {
  if (payout.status !== 'Paid') throw new Refusal(403)
  payout.status = 'Returned'
  payout.approved = false
  for (const paid of payout.actions.slice(0, 1)) {
    const action: Action = {
      ...paid,
      id: newId('act'),
      type: 'Return',
      response_code: '20005',
      processed_on: books.now().toISOString(),
    }
    payout.actions.push(action)
    books.tell('payment_returned', eventData(payout, action))
  }
}
