import type { Books } from './books.ts'
import { collect } from './charge.ts'
import { findIntent } from './intents.ts'
import type { Charge, Intent } from './objects.ts'
import { checkParams, integerAt, metadataAt, type Params, requireParams, textAt } from './params.ts'
import { conflict, invalid, type StripeError } from './stripe-error.ts'

const CAPTURES_MAX = 50

const CAPTURE = {
  amount_to_capture: 'integer',
  final_capture: 'boolean',
  metadata: 'metadata',
  statement_descriptor_suffix: 'text',
  expand: 'texts',
} as const

/**
 * By default one capture, which releases the rest. Several need multicapture.
 * Sources: https://docs.stripe.com/api/payment_intents/capture, https://docs.stripe.com/payments/multicapture
 */
export function captureIntent(books: Books, id: string, params: Params, key: string | null): Intent {
  checkParams(params, CAPTURE)
  const intent = findIntent(books, id)
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'captured')
  const charge = chargeOf(books, intent)
  const amount = integerAt(params, 'amount_to_capture') ?? intent.amount_capturable
  const isFinal = textAt(params, 'final_capture') !== 'false'
  if (amount < 1)
    throw invalid('parameter_invalid_integer', 'This value must be at least 1.', 'amount_to_capture')
  if (amount > mostOf(intent, charge)) {
    throw conflict('amount_too_large', 'The amount could not be captured because it is too large.')
  }
  if (!isFinal && !isAvailable(charge, 'multicapture')) {
    throw conflict('payment_intent_invalid_parameter', 'This charge is not eligible for multicapture.')
  }
  const count = [...books.transactions.values()].filter(({ source }) => source === charge.id).length
  if (count >= CAPTURES_MAX) {
    throw conflict('payment_intent_unexpected_state', 'A PaymentIntent can be captured 50 times at most.')
  }
  Object.assign(intent.metadata, metadataAt(params))
  collect(books, intent, charge, amount)
  books.noteEffect(key, { what: 'capture', of: id, amount, currency: intent.currency })
  intent.amount_capturable = isFinal ? 0 : Math.max(0, intent.amount_capturable - amount)
  if (isFinal) intent.status = 'succeeded'
  books.emit(isFinal ? 'charge.captured' : 'charge.updated', charge, key)
  books.emit(isFinal ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', intent, key)
  return intent
}

/** Releases what is reserved and not captured. Source: https://docs.stripe.com/api/payment_intents/cancel */
export function cancelIntent(books: Books, id: string, params: Params, key: string | null): Intent {
  checkParams(params, {
    cancellation_reason: ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'],
    expand: 'texts',
  })
  const intent = findIntent(books, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
    throw unexpected(intent, 'canceled')
  }
  const { amount_capturable: amount, currency } = intent
  intent.status = 'canceled'
  intent.amount_capturable = 0
  intent.next_action = null
  intent.canceled_at = books.seconds()
  intent.cancellation_reason = textAt(params, 'cancellation_reason') as Intent['cancellation_reason']
  books.noteEffect(key, { what: 'cancel', of: id, amount, currency })
  books.emit('payment_intent.canceled', intent, key)
  return intent
}

/** Takes the new total, at most ten times. Source: https://docs.stripe.com/payments/incremental-authorization */
export function incrementIntent(books: Books, id: string, params: Params, key: string | null): Intent {
  checkParams(params, {
    amount: 'integer',
    description: 'text',
    metadata: 'metadata',
    statement_descriptor: 'text',
    expand: 'texts',
  })
  requireParams(params, 'amount')
  const intent = findIntent(books, id)
  const charge = chargeOf(books, intent)
  const amount = integerAt(params, 'amount') ?? 0
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'incremented')
  if (!isAvailable(charge, 'incremental_authorization')) {
    throw conflict(
      'payment_intent_invalid_parameter',
      'This charge is not eligible for incremental authorization.',
    )
  }
  if (amount <= intent.amount) {
    throw invalid('parameter_invalid_integer', 'The amount must be greater than the current one.', 'amount')
  }
  Object.assign(intent.metadata, metadataAt(params))
  const added = amount - intent.amount
  intent.amount_capturable += added
  intent.amount = amount
  charge.amount = amount
  cardOf(charge)['amount_authorized'] = amount
  books.noteEffect(key, { what: 'increment', of: id, amount: added, currency: intent.currency })
  books.emit('payment_intent.amount_capturable_updated', intent, key)
  return intent
}

/** Stripe gives up a hold after seven days. Source: https://docs.stripe.com/payments/place-a-hold-on-a-payment-method */
export function expireIntent(books: Books, id: string): Intent {
  const intent = findIntent(books, id)
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'expired')
  intent.status = 'canceled'
  intent.amount_capturable = 0
  intent.canceled_at = books.seconds()
  books.emit('charge.expired', chargeOf(books, intent))
  books.emit('payment_intent.canceled', intent)
  return intent
}

function chargeOf(books: Books, intent: Intent): Charge {
  const charge = books.charges.get(intent.latest_charge ?? '')
  if (!charge) throw unexpected(intent, 'used so')
  return charge
}

function mostOf(intent: Intent, charge: Charge): number {
  if (!isAvailable(charge, 'overcapture')) return intent.amount_capturable
  const { maximum_amount_capturable: most } = cardOf(charge)['overcapture'] as {
    maximum_amount_capturable: number
  }
  return most - intent.amount_received
}

function isAvailable(charge: Charge, feature: string): boolean {
  return (cardOf(charge)[feature] as { status?: string } | undefined)?.status === 'available'
}

function cardOf(charge: Charge): Record<string, unknown> {
  return (charge.payment_method_details['card'] as Record<string, unknown> | undefined) ?? {}
}

function unexpected(intent: Intent, what: string): StripeError {
  return conflict(
    'payment_intent_unexpected_state',
    `This PaymentIntent could not be ${what} because it has a status of ${intent.status}.`,
    { payment_intent: intent },
  )
}
