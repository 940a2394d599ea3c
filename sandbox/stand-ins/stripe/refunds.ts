import type { Books } from './books.ts'
import { behaviourOf } from './charge.ts'
import { findIntent } from './intents.ts'
import { otherMethod } from './methods.ts'
import { type Charge, newRefund, type Refund } from './objects.ts'
import { checkParams, integerAt, metadataAt, type Params, textAt } from './params.ts'
import { settle } from './settle-money.ts'
import { conflict, invalid, missing } from './stripe-error.ts'

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

/** Source: https://docs.stripe.com/api/refunds/create */
export function createRefund(books: Books, params: Params, key: string | null): Refund {
  checkParams(params, {
    payment_intent: 'text',
    charge: 'text',
    amount: 'integer',
    reason: REASONS,
    metadata: 'metadata',
    expand: 'texts',
  })
  const charge = chargeOf(books, params)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = integerAt(params, 'amount') ?? left
  if (otherMethod(charge.payment_method_details.type)?.hasNoRefunds) {
    throw conflict('charge_not_refundable', 'This payment method cannot be refunded.')
  }
  if (charge.disputed) {
    throw conflict('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`)
  }
  if (left === 0) {
    throw conflict('charge_already_refunded', `Charge ${charge.id} has already been refunded.`)
  }
  if (amount < 1) throw invalid('parameter_invalid_integer', 'This value must be at least 1.', 'amount')
  if (amount > left) {
    throw conflict('invalid_charge_amount', 'The refund is greater than what is left of the charge.')
  }
  const refund = newRefund({
    id: books.id('re'),
    created: books.seconds(),
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: textAt(params, 'reason') as Refund['reason'],
    metadata: metadataAt(params),
  })
  if (behaviourOf(books, charge.payment_method).refund === 'pending') refund.status = 'pending'
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
  const isCard = charge.payment_method_details.type === 'card'
  refund.balance_transaction = settle(books, {
    type: isCard ? 'refund' : 'payment_refund',
    category: 'refund',
    source: refund.id,
    amount: -amount,
    currency: charge.currency,
  }).id
  books.refunds.set(refund.id, refund)
  books.noteEffect(key, { what: 'refund', of: charge.payment_intent, amount, currency: charge.currency })
  books.emit('refund.created', refund, key)
  books.emit('charge.refunded', charge, key)
  return refund
}

export function findRefund(books: Books, id: string): Refund {
  const refund = books.refunds.get(id)
  if (!refund) throw missing('refund', id, 'id')
  return refund
}

/** The bank has confirmed a refund that was pending. */
export function confirmRefund(books: Books, refund: Refund): void {
  if (refund.status !== 'pending') return
  refund.status = 'succeeded'
  books.emit('refund.updated', refund, null, { status: 'pending' })
}

/** A refund can fail up to 30 days after it succeeded. Source: https://docs.stripe.com/refunds#failed-refunds */
export function failRefund(books: Books, refund: Refund): Refund {
  if (refund.status === 'failed') return refund
  const charge = books.charges.get(refund.charge)
  if (charge) {
    charge.amount_refunded -= refund.amount
    charge.refunded = false
  }
  const transaction = settle(books, {
    type: 'refund_failure',
    category: 'refund_failure',
    source: refund.id,
    amount: refund.amount,
    currency: refund.currency,
  })
  const { status } = refund
  refund.status = 'failed'
  Object.assign(refund, {
    failure_reason: 'lost_or_stolen_card',
    failure_balance_transaction: transaction.id,
  })
  books.emit('refund.updated', refund, null, { status })
  books.emit('refund.failed', refund)
  return refund
}

function chargeOf(books: Books, params: Params): Charge {
  const intentId = textAt(params, 'payment_intent')
  const chargeId = textAt(params, 'charge')
  if (intentId === null && chargeId === null) {
    throw invalid('parameter_missing', 'One of payment_intent and charge is required.', 'payment_intent')
  }
  const intent = intentId === null ? null : findIntent(books, intentId)
  const charge = books.charges.get(intent?.latest_charge ?? chargeId ?? '')
  if (!charge?.captured) {
    if (intent) {
      throw conflict(
        'payment_intent_unexpected_state',
        `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      )
    }
    throw missing('charge', chargeId ?? '', 'charge')
  }
  return charge
}
