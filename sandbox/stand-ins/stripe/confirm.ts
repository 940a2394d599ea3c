import type { Books, Confirmation } from './books.ts'
import { behaviourOf, chargeCard, chargeOther, collect, needsAuthentication } from './charge.ts'
import { openDispute } from './disputes.ts'
import { makeMandate } from './mandates.ts'
import { otherMethod, type ShownAction } from './methods.ts'
import type { Charge, Intent, NextAction, PaymentError, PaymentMethod } from './objects.ts'
import { conflict, StripeError } from './stripe-error.ts'
import { type DebitBehaviour, type Decline, TEST_ACCOUNTS, TEST_IBANS } from './test-methods.ts'

/** The pages of the stand-in. It fills in its own address when it answers. */
export const PAGES = 'https://stand-in.invalid'

/** Source: https://docs.stripe.com/payments/paymentintents/lifecycle */
export function confirmIntent(books: Books, intent: Intent, confirmation: Confirmation): Intent {
  const method = books.methods.get(intent.payment_method ?? '')
  if (!method) {
    throw conflict('parameter_missing', 'You cannot confirm this PaymentIntent without a payment method.')
  }
  books.confirmations.set(intent.id, confirmation)
  switch (method.type) {
    case 'card':
      return confirmCard(books, intent, confirmation)
    case 'sepa_debit':
    case 'bacs_debit':
      books.mandateOf.set(intent.id, makeMandate(books, intent, method, confirmation).id)
      return startDebit(books, intent, confirmation.key)
    case 'us_bank_account':
      books.mandateOf.set(intent.id, makeMandate(books, intent, method, confirmation).id)
      return ask(books, intent, {
        type: 'verify_with_microdeposits',
        verify_with_microdeposits: {
          arrival_date: books.seconds() + 24 * 60 * 60,
          hosted_verification_url: `${PAGES}/microdeposits/${intent.id}`,
          microdeposit_type: 'descriptor_code',
        },
      })
    default: {
      const action = otherMethod(method.type)?.action
      return ask(
        books,
        intent,
        action
          ? show(intent, action, { ...confirmation, now: books.seconds() })
          : redirect(intent, confirmation),
      )
    }
  }
}

function confirmCard(books: Books, intent: Intent, confirmation: Confirmation): Intent {
  if (!needsAuthentication(behaviourOf(books, intent.payment_method), confirmation)) {
    return payByCard(books, intent, confirmation)
  }
  if (confirmation.isOffSession || confirmation.hasErrorOnAction) {
    throw refuse(books, intent, null, {
      code: 'authentication_required',
      decline_code: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    })
  }
  if (confirmation.returnUrl === null) {
    return ask(books, intent, { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } })
  }
  return ask(books, intent, redirect(intent, confirmation))
}

/** Asks the bank, once the buyer has authenticated if that was needed. */
export function payByCard(books: Books, intent: Intent, { key }: Confirmation): Intent {
  const { charge, decline } = chargeCard(books, intent, methodOf(books, intent))
  if (decline) throw refuse(books, intent, charge, decline)
  authorized(books, intent, charge, key)
  return intent
}

/** The bank of a redirect has said yes. */
export function payByRedirect(books: Books, intent: Intent, { key }: Confirmation): void {
  authorized(books, intent, chargeOther(books, intent, methodOf(books, intent)), key)
}

function authorized(books: Books, intent: Intent, charge: Charge, key: string | null): void {
  intent.next_action = null
  intent.latest_charge = charge.id
  noteAuthorization(books, intent, key)
  if (intent.capture_method === 'manual') {
    intent.status = 'requires_capture'
    intent.amount_capturable = intent.amount
    books.emit('charge.succeeded', charge, key)
    books.emit('payment_intent.amount_capturable_updated', intent, key)
    return
  }
  intent.status = 'succeeded'
  collect(books, intent, charge, intent.amount)
  books.emit('charge.succeeded', charge, key)
  books.emit('payment_intent.succeeded', intent, key)
}

function noteAuthorization(books: Books, intent: Intent, key: string | null): void {
  const { id, amount, currency, capture_method } = intent
  const isCaptured = capture_method !== 'manual'
  books.noteEffect(key, { what: 'authorize', of: id, amount, currency, isCaptured })
}

/** A debit takes days: it begins now, and `endDebit` says how it ended. */
export function startDebit(books: Books, intent: Intent, key: string | null): Intent {
  const charge = chargeOther(books, intent, methodOf(books, intent))
  charge.status = 'pending'
  charge.paid = false
  intent.latest_charge = charge.id
  intent.next_action = null
  intent.status = 'processing'
  noteAuthorization(books, intent, key)
  books.emit('charge.pending', charge, key)
  books.emit('payment_intent.processing', intent, key)
  return intent
}

export function endDebit(books: Books, intent: Intent): void {
  const charge = books.charges.get(intent.latest_charge ?? '')
  if (intent.status !== 'processing' || !charge) return
  const behaviour = debitBehaviour(books, intent)
  if (behaviour.failure) {
    charge.status = 'failed'
    charge.failure_code = behaviour.failure.code
    charge.failure_message = behaviour.failure.message
    failed(books, intent, { type: 'invalid_request_error', ...behaviour.failure, charge: charge.id })
    return
  }
  charge.paid = true
  intent.status = 'succeeded'
  collect(books, intent, charge, intent.amount)
  books.emit('charge.succeeded', charge)
  books.emit('payment_intent.succeeded', intent)
  if (behaviour.isDisputed)
    openDispute(books, charge, { reason: 'debit_not_authorized', amount: intent.amount })
}

/** Ends an attempt without money. The intent could be confirmed again. */
export function failed(books: Books, intent: Intent, error: PaymentError): void {
  intent.last_payment_error = error
  intent.next_action = null
  intent.status = 'requires_payment_method'
  books.emit('payment_intent.payment_failed', intent)
}

function refuse(books: Books, intent: Intent, charge: Charge | null, decline: Decline): StripeError {
  const error = { type: 'card_error', ...decline, ...(charge && { charge: charge.id }) } as const
  const method = intent.payment_method
  if (charge) {
    intent.latest_charge = charge.id
    books.emit('charge.failed', charge)
  }
  failed(books, intent, error)
  intent.payment_method = null
  return new StripeError(402, {
    ...error,
    payment_intent: intent,
    payment_method: books.methods.get(method ?? '') ?? {},
  })
}

function ask(books: Books, intent: Intent, action: NextAction): Intent {
  intent.status = 'requires_action'
  intent.next_action = action
  books.emit('payment_intent.requires_action', intent)
  return intent
}

function redirect(intent: Intent, { returnUrl }: Confirmation): NextAction {
  if (returnUrl === null) throw conflict('parameter_missing', 'Missing required param: return_url.')
  const url = `${PAGES}/redirect/${intent.id}?client_secret=${intent.client_secret}`
  return { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
}

const DAY_SECONDS = 86_400

/** What Stripe gives a merchant to show. https://docs.stripe.com/api/payment_intents/object#payment_intent_object-next_action */
function show(
  intent: Intent,
  type: ShownAction,
  { returnUrl, now }: Pick<Confirmation, 'returnUrl'> & { readonly now: number },
): NextAction {
  const page = `${PAGES}/instructions/${intent.id}`
  const image = { image_url_png: `${page}/qr.png`, image_url_svg: `${page}/qr.svg` }
  const scanned = { data: `${page}?scan`, hosted_instructions_url: page, ...image }
  const qr_code = { ...image, expires_at: now + DAY_SECONDS }
  const opened = { hosted_instructions_url: page, mobile_auth_url: page, qr_code }
  const voucher = { hosted_voucher_url: page, expires_at: now + 3 * DAY_SECONDS }
  const number = '01010101010101010101010101010101'
  const stores = {
    familymart: null,
    lawson: { confirmation_number: null, payment_code: '123456' },
    ministop: null,
    seicomart: null,
  }
  const details = {
    alipay_handle_redirect: {
      native_data: null,
      native_url: null,
      return_url: returnUrl,
      url: `${PAGES}/redirect/${intent.id}`,
    },
    blik_authorize: {},
    boleto_display_details: { ...voucher, number, pdf: `${page}/pdf` },
    cashapp_handle_redirect_or_display_qr_code: opened,
    konbini_display_details: { ...voucher, stores },
    multibanco_display_details: { ...voucher, entity: '11111', reference: '999999999' },
    oxxo_display_details: { hosted_voucher_url: page, expires_after: now + 3 * DAY_SECONDS, number },
    payto_await_authorization: {},
    pix_display_qr_code: { ...scanned, expires_at: now + DAY_SECONDS },
    promptpay_display_qr_code: scanned,
    swish_handle_redirect_or_display_qr_code: opened,
    wechat_pay_display_qr_code: { ...scanned, image_data_url: 'data:image/png;base64,' },
  }[type]
  return { type, [type]: details }
}

function methodOf(books: Books, intent: Intent): PaymentMethod {
  const method = books.methods.get(intent.payment_method ?? '')
  if (!method) throw conflict('payment_intent_unexpected_state', 'The PaymentIntent has no payment method.')
  return method
}

function debitBehaviour(books: Books, intent: Intent): DebitBehaviour {
  const { iban = '', account = '' } = books.hidden.get(intent.payment_method ?? '') ?? {}
  return TEST_IBANS[iban] ?? TEST_ACCOUNTS[account] ?? {}
}
