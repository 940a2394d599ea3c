import { checkAmountDetails } from './amount-details.ts'
import type { Books, Confirmation } from './books.ts'
import { confirmIntent } from './confirm.ts'
import { acceptanceOf, MANDATE_DATA } from './mandates.ts'
import { otherMethod } from './methods.ts'
import { type Intent, newIntent } from './objects.ts'
import {
  checkParams,
  integerAt,
  isTrueAt,
  metadataAt,
  type Params,
  requireParams,
  type Shape,
  textAt,
  valueAt,
} from './params.ts'
import { findMethod, METHOD_DATA, storeMethod } from './payment-methods.ts'
import { invalid, missing } from './stripe-error.ts'

const IF_AVAILABLE = ['if_available', 'never'] as const
const USAGE = ['installment', 'recurring', 'unscheduled'] as const

const THREE_D_SECURE = {
  version: ['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1'],
  cryptogram: 'text',
  transaction_id: 'text',
  electronic_commerce_indicator: ['01', '02', '05', '06', '07'],
  ares_trans_status: ['A', 'C', 'I', 'N', 'R', 'U', 'Y'],
  exemption_indicator: ['low_risk', 'none'],
  requestor_challenge_indicator: 'text',
  network_options: {
    cartes_bancaires: { cb_avalgo: 'text', cb_exemption: 'text', cb_score: 'integer' },
  },
} as const

export const METHOD_OPTIONS = {
  card: {
    capture_method: ['manual'],
    moto: 'boolean',
    network: 'text',
    request_extended_authorization: IF_AVAILABLE,
    request_incremental_authorization: IF_AVAILABLE,
    request_multicapture: IF_AVAILABLE,
    request_overcapture: IF_AVAILABLE,
    request_three_d_secure: ['any', 'automatic', 'challenge'],
    setup_credential_usage: USAGE,
    setup_future_usage: ['none', 'off_session', 'on_session'],
    stored_credential_usage: USAGE,
    three_d_secure: THREE_D_SECURE,
  },
  blik: { code: 'text' },
  wechat_pay: { client: ['android', 'ios', 'web'] },
  klarna: { capture_method: ['manual'], preferred_locale: 'text', setup_future_usage: ['none'] },
  us_bank_account: { verification_method: ['automatic', 'instant', 'microdeposits'] },
  sepa_debit: { target_date: 'text', mandate_options: { reference_prefix: 'text' } },
  ideal: { setup_future_usage: ['none', 'off_session'] },
  bancontact: { preferred_language: ['de', 'en', 'fr', 'nl'], setup_future_usage: ['none', 'off_session'] },
} as const satisfies Readonly<Record<string, Shape>>

const ADDRESS = METHOD_DATA.billing_details.address

const CREATE = {
  allowed_payment_method_types: 'texts',
  amount: 'integer',
  amount_details: {
    enforce_arithmetic_validation: 'boolean',
    line_items: 'objects',
    shipping: { amount: 'integer', to_postal_code: 'text' },
    tax: { total_tax_amount: 'integer' },
  },
  application_fee_amount: 'integer',
  currency: 'text',
  customer: 'text',
  on_behalf_of: 'text',
  transfer_data: { destination: 'text' },
  transfer_group: 'text',
  capture_method: ['automatic', 'automatic_async', 'manual'],
  confirm: 'boolean',
  confirmation_method: ['automatic', 'manual'],
  description: 'text',
  error_on_requires_action: 'boolean',
  expand: 'texts',
  mandate_data: MANDATE_DATA,
  metadata: 'metadata',
  off_session: 'boolean',
  payment_details: { customer_reference: 'text', order_reference: 'text' },
  payment_method: 'text',
  payment_method_data: METHOD_DATA,
  payment_method_options: METHOD_OPTIONS,
  receipt_email: 'text',
  return_url: 'text',
  setup_future_usage: ['off_session', 'on_session'],
  shipping: { address: ADDRESS, name: 'text', phone: 'text', carrier: 'text', tracking_number: 'text' },
  statement_descriptor: 'text',
  statement_descriptor_suffix: 'text',
} as const satisfies Readonly<Record<string, Shape>>

/** Source: https://docs.stripe.com/api/payment_intents/create */
export function createIntent(books: Books, params: Params, key: string | null): Intent {
  checkParams(params, CREATE)
  requireParams(params, 'amount', 'currency')
  const amount = integerAt(params, 'amount') ?? 0
  const currency = textAt(params, 'currency') ?? ''
  checkAmount(amount, currency)
  checkDescriptor(params)
  checkAmountDetails(params, amount)
  const types = (valueAt(params, 'allowed_payment_method_types') as string[] | undefined) ?? ['card']
  const intent = newIntent({
    id: books.id('pi'),
    created: books.seconds(),
    amount,
    currency,
    capture_method: (textAt(params, 'capture_method') ?? 'automatic_async') as Intent['capture_method'],
    payment_method_types: types,
    metadata: metadataAt(params),
  })
  intent.description = textAt(params, 'description')
  intent.statement_descriptor_suffix = textAt(params, 'statement_descriptor_suffix')
  intent.setup_future_usage = textAt(params, 'setup_future_usage') as Intent['setup_future_usage']
  intent.payment_method_options = valueAt(params, 'payment_method_options') ?? {}
  choose(books, intent, params)
  books.intents.set(intent.id, intent)
  books.emit('payment_intent.created', intent, key)
  return isTrueAt(params, 'confirm') ? confirmIntent(books, intent, confirmationOf(params, key)) : intent
}

export function findIntent(books: Books, id: string): Intent {
  const intent = books.intents.get(id)
  if (!intent) throw missing('payment_intent', id)
  return intent
}

export function confirmationOf(params: Params, key: string | null): Confirmation {
  const card = (...path: string[]) => valueAt(params, 'payment_method_options', 'card', ...path)
  const result = card('three_d_secure')
  if (result !== undefined) {
    for (const name of ['version', 'cryptogram', 'transaction_id']) {
      const full = `payment_method_options[card][three_d_secure][${name}]`
      if (card('three_d_secure', name) === undefined) {
        throw invalid('parameter_missing', `Missing required param: ${full}.`, full)
      }
    }
  }
  return {
    key,
    mandate: acceptanceOf(params),
    isOffSession: isTrueAt(params, 'off_session') || card('moto') === 'true',
    hasErrorOnAction: isTrueAt(params, 'error_on_requires_action'),
    returnUrl: textAt(params, 'return_url'),
    hasThreeDSecureResult: result !== undefined,
    threeDSecureWish: (card('request_three_d_secure') as string | undefined) ?? null,
  }
}

function choose(books: Books, intent: Intent, params: Params): void {
  const data = valueAt(params, 'payment_method_data') as Params | undefined
  const id = textAt(params, 'payment_method')
  if (!data && id === null) return
  const method = data ? storeMethod(books, data) : findMethod(books, id ?? '')
  if (!intent.payment_method_types.includes(method.type)) {
    throw invalid(
      'payment_intent_incompatible_payment_method',
      `The PaymentMethod's type ${method.type} is not among the allowed ones.`,
      'payment_method',
    )
  }
  checkCurrency(method.type, intent.currency)
  checkCapture(method.type, intent.capture_method)
  intent.payment_method = method.id
  intent.status = 'requires_confirmation'
}

/** Source: https://docs.stripe.com/payments/payment-methods/payment-method-support */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  bacs_debit: ['gbp'],
  sepa_debit: ['eur'],
  us_bank_account: ['usd'],
}

function checkCurrency(type: string, currency: string): void {
  const taken = CURRENCIES[type] ?? otherMethod(type)?.currencies
  if (taken?.includes(currency) === false) {
    throw invalid('payment_method_currency_mismatch', `${type} does not support ${currency}.`, 'currency')
  }
}

function checkCapture(type: string, capture: Intent['capture_method']): void {
  const method = otherMethod(type)
  if (!method || method.hasManualCapture || capture !== 'manual') return
  throw invalid(
    'parameter_unknown',
    `The payment method type ${type} does not support manual capture.`,
    'capture_method',
  )
}

const MINIMUM: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30, jpy: 50 }
const AMOUNT_MAX = 99_999_999
/** Source: https://docs.stripe.com/currencies#special-cases and #three-decimal */
const MULTIPLES: Readonly<Record<string, number>> = {
  isk: 100,
  ugx: 100,
  bhd: 10,
  jod: 10,
  kwd: 10,
  omr: 10,
  tnd: 10,
}

function checkAmount(amount: number, currency: string): void {
  if (!/^[a-z]{3}$/i.test(currency)) throw invalid('parameter_invalid_empty', 'Invalid currency', 'currency')
  if (amount < 1) throw invalid('parameter_invalid_integer', 'This value must be at least 1.', 'amount')
  if (amount > AMOUNT_MAX) throw invalid('amount_too_large', 'Amount must be 99999999 at most.', 'amount')
  if (amount < (MINIMUM[currency] ?? 1)) throw invalid('amount_too_small', 'Amount is too small.', 'amount')
  if (amount % (MULTIPLES[currency] ?? 1) !== 0) {
    throw invalid('invalid_charge_amount', `Amounts in ${currency} must be rounded.`, 'amount')
  }
}

const LATIN = /^(?!.*[<>\\'"*])(?:\p{Script=Latin}|[ -~]){1,22}$/u

/** 22 Latin characters, some of them letters, and none of `<>\'"*`. Source: https://docs.stripe.com/get-started/account/statement-descriptors */
function checkDescriptor(params: Params): void {
  const suffix = textAt(params, 'statement_descriptor_suffix')
  if (suffix === null || (LATIN.test(suffix) && /\p{L}/u.test(suffix))) return
  throw invalid('parameter_invalid_empty', 'Invalid statement descriptor', 'statement_descriptor_suffix')
}
