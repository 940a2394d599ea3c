import {
  type Action,
  type Books,
  balancesOf,
  decisionOf,
  eventData,
  isPayout,
  type Json,
  type Kind,
  newId,
  type Payment,
  Refusal,
  type Reply,
} from './books.ts'
import { isObject } from './contract.ts'

const KINDS: Readonly<Record<string, Kind>> = {
  captures: 'Capture',
  voids: 'Void',
  refunds: 'Refund',
  authorizations: 'Authorization',
}

/** POST /payments/{id}/captures and the like. Checkout.com says that it has the request; the outcome comes later. */
export function act(books: Books, path: string, request: Json, key: string | null): Reply {
  const [, , id = '', what = ''] = path.split('/')
  const payment = books.find(id)
  const type = KINDS[what] ?? 'Void'
  const balances = balancesOf(payment)
  const amount = checkedAmount(
    payment,
    type,
    typeof request['amount'] === 'number' ? request['amount'] : null,
  )
  const action: Action = {
    id: newId('act'),
    type,
    amount,
    approved: null,
    response_code: '10000',
    processed_on: books.now().toISOString(),
    reference: typeof request['reference'] === 'string' ? request['reference'] : null,
    metadata: isObject(request['metadata']) ? request['metadata'] : {},
    ...(type === 'Authorization' && { authorization_type: 'Incremental' }),
  }
  payment.actions.push(action)
  books.movements.push({ kind: type, key, amount, payment: id })
  if (type === 'Authorization') return increment(books, payment, action)
  if (type === 'Capture' && request['capture_type'] !== 'NonFinal') {
    const rest = balances.available_to_capture - amount
    if (rest > 0)
      payment.actions.push({ ...action, id: newId('act'), type: 'Void', amount: rest, metadata: {} })
  }
  const href = `https://api.sandbox.checkout.com/payments/${id}`
  const { reference } = action
  return {
    status: 202,
    body: { action_id: action.id, ...(reference !== null && { reference }), _links: { payment: { href } } },
  }
}

/** 403: the payment is not in a state for it. 422: there is not as much. */
function checkedAmount(payment: Payment, type: Kind, asked: number | null): number {
  const balances = balancesOf(payment)
  if (!payment.approved) throw new Refusal(403)
  switch (type) {
    case 'Capture':
      if (balances.available_to_capture <= 0) throw new Refusal(403)
      if ((asked ?? 0) > balances.available_to_capture) {
        throw new Refusal(422, ['capture_value_greater_than_remaining_authorized'])
      }
      return asked ?? balances.available_to_capture
    case 'Void':
      if (balances.available_to_void <= 0) throw new Refusal(403)
      return balances.available_to_void
    case 'Refund':
      if (balances.available_to_refund <= 0) throw new Refusal(403)
      if ((asked ?? 0) > balances.available_to_refund) throw new Refusal(422, ['amount_exceeds_balance'])
      return asked ?? balances.available_to_refund
    default:
      if (!payment.isEstimated || balances.total_captured > 0) throw new Refusal(403)
      return asked ?? 0
  }
}

/** The only one that is decided at once. */
function increment(books: Books, payment: Payment, action: Action): Reply {
  action.response_code = books.next.shift() ?? '10000'
  action.approved = action.response_code.startsWith('10')
  if (action.approved) payment.amount += action.amount
  books.tell(
    `payment_authorization_increment${action.approved ? 'ed' : '_declined'}`,
    eventData(payment, action),
  )
  const self = `https://api.sandbox.checkout.com/payments/${payment.id}`
  return {
    status: 201,
    body: {
      action_id: action.id,
      amount: action.amount,
      currency: payment.currency,
      approved: action.approved,
      status: action.approved ? 'Authorized' : 'Declined',
      ...decisionOf(action.response_code),
      balances: balancesOf(payment),
      processed_on: action.processed_on,
      _links: { self: { href: self }, actions: { href: `${self}/actions` } },
    },
  }
}

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  Capture: ['payment_captured', 'payment_capture_declined'],
  Void: ['payment_voided', 'payment_void_declined'],
  Refund: ['payment_refunded', 'payment_refund_declined'],
  Payout: ['payment_paid', 'payment_declined'],
}

/** Ends what is accepted and not decided. */
export function finish(books: Books): void {
  for (const payment of books.payments.values()) {
    for (const action of payment.actions) {
      if (action.approved !== null) continue
      action.response_code = books.next.shift() ?? action.response_code
      action.approved = action.response_code.startsWith('10')
      action.processed_on = books.now().toISOString()
      payment.status = isPayout(payment) ? endPayout(books, payment, action) : statusOf(payment)
      const [done, declined] = WORDS[action.type] ?? ['', '']
      books.tell(action.approved ? done : declined, eventData(payment, action))
    }
  }
}

/** Only now money moves. */
function endPayout(books: Books, payout: Payment, { approved, amount }: Action): string {
  payout.approved = approved === true
  if (!payout.approved) return 'Declined'
  books.movements.push({ kind: 'Payout', key: payout.key, amount, payment: payout.id })
  return 'Paid'
}

function statusOf(payment: Payment): string {
  const { total_authorized, total_captured, total_refunded, total_voided } = balancesOf(payment)
  if (total_refunded > 0) return total_refunded < total_captured ? 'Partially Refunded' : 'Refunded'
  if (total_captured > 0) return total_captured < total_authorized ? 'Partially Captured' : 'Captured'
  return total_voided > 0 ? 'Voided' : 'Authorized'
}

/** GET /payments/{id}/actions: what is decided, the newest first. */
export function listActions(payment: Payment): readonly Json[] {
  return payment.actions
    .filter(({ approved }) => approved !== null)
    .map(({ response_code, reference, ...action }) => ({
      ...action,
      ...(reference !== null && { reference }),
      ...decisionOf(response_code),
    }))
    .reverse()
}
