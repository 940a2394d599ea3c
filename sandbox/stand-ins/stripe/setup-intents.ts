import type { Books, Confirmation } from './books.ts'
import { behaviourOf, needsAuthentication } from './charge.ts'
import { PAGES } from './confirm.ts'
import { confirmationOf, METHOD_OPTIONS } from './intents.ts'
import { type NextAction, newSetupIntent, type SetupIntent } from './objects.ts'
import { checkParams, isTrueAt, metadataAt, type Params, requireParams, textAt, valueAt } from './params.ts'
import { findMethod } from './payment-methods.ts'
import { conflict, missing, StripeError } from './stripe-error.ts'

const CREATE = {
  allowed_payment_method_types: 'texts',
  confirm: 'boolean',
  description: 'text',
  expand: 'texts',
  metadata: 'metadata',
  payment_method: 'text',
  payment_method_options: {
    card: {
      request_three_d_secure: METHOD_OPTIONS.card.request_three_d_secure,
      moto: 'boolean',
      network: 'text',
      three_d_secure: METHOD_OPTIONS.card.three_d_secure,
    },
  },
  return_url: 'text',
  usage: ['off_session', 'on_session'],
} as const

const NO_MONEY = { amount: 0, currency: '' }

/** Checks a card without taking money. Source: https://docs.stripe.com/api/setup_intents/create */
export function createSetupIntent(books: Books, params: Params, key: string | null): SetupIntent {
  checkParams(params, CREATE)
  const intent = newSetupIntent({
    id: books.id('seti'),
    created: books.seconds(),
    payment_method_types: (valueAt(params, 'allowed_payment_method_types') as string[] | undefined) ?? [
      'card',
    ],
    usage: textAt(params, 'usage') ?? 'off_session',
    metadata: metadataAt(params),
  })
  books.setupIntents.set(intent.id, intent)
  const id = textAt(params, 'payment_method')
  if (id !== null) {
    intent.payment_method = findMethod(books, id).id
    intent.status = 'requires_confirmation'
  }
  if (!isTrueAt(params, 'confirm')) return intent
  requireParams(params, 'payment_method')
  const confirmation = confirmationOf(params, key)
  books.confirmations.set(intent.id, confirmation)
  if (!needsAuthentication(behaviourOf(books, intent.payment_method), confirmation)) {
    return finishSetup(books, intent)
  }
  intent.status = 'requires_action'
  intent.next_action = actionFor(intent, confirmation)
  return intent
}

/** Without a way back, only Stripe's own script can go on. */
function actionFor({ id, client_secret }: SetupIntent, { returnUrl }: Confirmation): NextAction {
  if (returnUrl === null) {
    return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } }
  }
  const url = `${PAGES}/redirect/${id}?client_secret=${client_secret}`
  return { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
}

export function findSetupIntent(books: Books, id: string): SetupIntent {
  const intent = books.setupIntents.get(id)
  if (!intent) throw missing('setupintent', id)
  return intent
}

/** The bank's answer, once the buyer has authenticated if that was needed. */
export function finishSetup(books: Books, intent: SetupIntent): SetupIntent {
  const { decline, isBlocked } = behaviourOf(books, intent.payment_method)
  intent.next_action = null
  if (decline || isBlocked) {
    const error = {
      type: 'card_error',
      ...(decline ?? { code: 'card_declined', message: 'Declined.' }),
    } as const
    intent.last_setup_error = error
    intent.status = 'requires_payment_method'
    books.emit('setup_intent.setup_failed', intent)
    throw new StripeError(402, { ...error, setup_intent: intent })
  }
  intent.status = 'succeeded'
  books.noteEffect(books.confirmations.get(intent.id)?.key ?? null, {
    what: 'setup',
    ...NO_MONEY,
    of: intent.id,
  })
  books.emit('setup_intent.succeeded', intent)
  return intent
}

export function cancelSetupIntent(books: Books, id: string, params: Params, key: string | null): SetupIntent {
  checkParams(params, {
    cancellation_reason: ['abandoned', 'duplicate', 'requested_by_customer'],
    expand: 'texts',
  })
  const intent = findSetupIntent(books, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw conflict('setup_intent_unexpected_state', `This SetupIntent has a status of ${intent.status}.`)
  }
  intent.status = 'canceled'
  intent.next_action = null
  intent.cancellation_reason = textAt(params, 'cancellation_reason') as SetupIntent['cancellation_reason']
  books.noteEffect(key, { what: 'cancel setup', ...NO_MONEY, of: id })
  books.emit('setup_intent.canceled', intent, key)
  return intent
}
