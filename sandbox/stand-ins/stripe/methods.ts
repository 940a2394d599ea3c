import { type Params, textAt } from './params.ts'
import { invalid } from './stripe-error.ts'

/** Actions that are no plain address: Stripe has a page for each, and data for a page of the merchant. */
export type ShownAction =
  | 'alipay_handle_redirect'
  | 'blik_authorize'
  | 'boleto_display_details'
  | 'cashapp_handle_redirect_or_display_qr_code'
  | 'konbini_display_details'
  | 'multibanco_display_details'
  | 'oxxo_display_details'
  | 'payto_await_authorization'
  | 'pix_display_qr_code'
  | 'promptpay_display_qr_code'
  | 'swish_handle_redirect_or_display_qr_code'
  | 'wechat_pay_display_qr_code'

type OtherMethod = {
  /** What Stripe shows the buyer. Left out: a page to approve on. */
  readonly action?: ShownAction
  /** Left out: all of them. */
  readonly currencies?: readonly string[]
  /** Left out: Stripe takes the money when the buyer approves. */
  readonly hasManualCapture?: true
  /** Cash does not come back. */
  readonly hasNoRefunds?: true
  /** Of the billing details. */
  readonly requires?: readonly (readonly string[])[]
  /** What charges show of it. */
  readonly details: object
}

const NAME = [['name']]
const SHOPPER = [
  ['name'],
  ['email'],
  ['address', 'line1'],
  ['address', 'postal_code'],
  ['address', 'country'],
]
const PAYPAL = 'aud cad chf czk dkk eur gbp hkd nok nzd pln sek sgd usd'.split(' ')
const ALIPAY = 'aud cad cny eur gbp hkd jpy myr nzd sgd usd'.split(' ')
const WECHAT = 'aud cad chf cny dkk eur gbp hkd jpy nok sek sgd usd'.split(' ')
const BANK = { bank: null, verified_name: 'Jenny Rosen' }
const DUTCH_BANK = {
  bank: 'ing',
  bic: 'INGBNL2A',
  iban_last4: '5678',
  transaction_id: null,
  verified_name: 'Jenny Rosen',
}
const BELGIAN_BANK = { bank_code: 'VAPE', bank_name: 'VAN DE PUT & CO', bic: 'VAPEBE22', iban_last4: '7061' }
const NO_DEBIT = { generated_sepa_debit: null, generated_sepa_debit_mandate: null }
const KLARNA = { payer_details: null, payment_method_category: 'pay_later', preferred_locale: 'en-US' }
const PAYER = { payer_email: 'jenny@example.com', payer_id: 'FDSRRKKZZ2ASJ', payer_name: 'Jenny Rosen' }

/** By type. https://docs.stripe.com/payments/payment-methods/payment-method-support, and the page of each */
// biome-ignore format: a row for each method
const METHODS = {
  affirm: { currencies: ['cad', 'usd'], hasManualCapture: true, details: {} },
  afterpay_clearpay: { currencies: ['aud', 'cad', 'gbp', 'nzd', 'usd'], hasManualCapture: true, requires: SHOPPER, details: { order_id: null, reference: null } },
  bancontact: { currencies: ['eur'], requires: NAME, details: { ...BELGIAN_BANK, ...NO_DEBIT, preferred_language: null, verified_name: 'Jenny Rosen' } },
  eps: { currencies: ['eur'], requires: NAME, details: BANK },
  grabpay: { currencies: ['myr', 'sgd'], details: { transaction_id: null } },
  ideal: { currencies: ['eur'], details: { ...DUTCH_BANK, ...NO_DEBIT } },
  klarna: { hasManualCapture: true, details: KLARNA },
  p24: { currencies: ['eur', 'pln'], requires: [['email']], details: { ...BANK, reference: 'P24-000-000-000' } },
  alipay: { currencies: ALIPAY, action: 'alipay_handle_redirect', details: { buyer_id: null, fingerprint: null, transaction_id: null } },
  blik: { currencies: ['pln'], action: 'blik_authorize', details: { buyer_id: null } },
  boleto: { currencies: ['brl'], action: 'boleto_display_details', hasNoRefunds: true, requires: [...SHOPPER, ['address', 'city'], ['address', 'state']], details: { tax_id: '00.000.000/0001-91' } },
  cashapp: { currencies: ['usd'], action: 'cashapp_handle_redirect_or_display_qr_code', hasManualCapture: true, details: { buyer_id: null, cashtag: '$jenny', transaction_id: null } },
  kakao_pay: { currencies: ['krw'], hasManualCapture: true, details: { buyer_id: null, transaction_id: null } },
  konbini: { currencies: ['jpy'], action: 'konbini_display_details', requires: [['name'], ['email']], details: { store: { chain: 'lawson' } } },
  mobilepay: { currencies: ['dkk', 'eur', 'nok', 'sek'], hasManualCapture: true, details: { card: null } },
  multibanco: { currencies: ['eur'], action: 'multibanco_display_details', requires: [['email']], details: { entity: '11111', reference: '999999999' } },
  oxxo: { currencies: ['mxn'], action: 'oxxo_display_details', hasNoRefunds: true, requires: [['name'], ['email']], details: { number: null } },
  pay_by_bank: { currencies: ['gbp'], details: {} },
  paypay: { currencies: ['jpy'], details: { reference: null } },
  payto: { currencies: ['aud'], action: 'payto_await_authorization', details: { bsb_number: null, last4: null, pay_id: null } },
  pix: { currencies: ['brl'], action: 'pix_display_qr_code', details: { bank_transaction_id: null } },
  promptpay: { currencies: ['thb'], action: 'promptpay_display_qr_code', requires: [['email']], details: { reference: null } },
  swish: { currencies: ['sek'], action: 'swish_handle_redirect_or_display_qr_code', details: { fingerprint: null, payment_reference: null, verified_phone_last4: null } },
  twint: { currencies: ['chf'], details: {} },
  wechat_pay: { currencies: WECHAT, action: 'wechat_pay_display_qr_code', details: { fingerprint: null, location: null, reader: null, transaction_id: null } },
  zip: { currencies: ['aud', 'usd'], details: {} },
  paypal: { currencies: PAYPAL, hasManualCapture: true, details: { ...PAYER, seller_protection: null, transaction_id: null } },
} as const satisfies Readonly<Record<string, OtherMethod>>

export type OtherType = keyof typeof METHODS
export const OTHER_TYPES = Object.keys(METHODS) as OtherType[]

/** A method that is no card and no account. */
export function otherMethod(type: string): OtherMethod | undefined {
  return Object.hasOwn(METHODS, type) ? METHODS[type as OtherType] : undefined
}

/** Refuses a payment method that lacks what its type requires of the buyer. */
export function checkBuyer(type: string, params: Params): void {
  for (const path of otherMethod(type)?.requires ?? []) {
    if (textAt(params, 'billing_details', ...path)) continue
    const full = `billing_details${path.map((name) => `[${name}]`).join('')}`
    throw invalid('parameter_missing', `Missing required param: ${full}.`, full)
  }
  if (type === 'boleto' && !textAt(params, 'boleto', 'tax_id')) {
    throw invalid('parameter_missing', 'Missing required param: boleto[tax_id].', 'boleto[tax_id]')
  }
  const hasAccount = textAt(params, 'payto', 'bsb_number') && textAt(params, 'payto', 'account_number')
  if (type === 'payto' && !textAt(params, 'payto', 'pay_id') && !hasAccount) {
    throw invalid('parameter_missing', 'Missing required param: payto[pay_id].', 'payto[pay_id]')
  }
}
