import { type Params, textAt } from './params.ts'
import { invalid } from './stripe-error.ts'

type RedirectMethod = {
  /** Left out: all of them. */
  readonly currencies?: readonly string[]
  /** Left out: Stripe takes the money when the buyer approves. */
  readonly hasManualCapture?: true
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
  paypal: { currencies: PAYPAL, hasManualCapture: true, details: { ...PAYER, seller_protection: null, transaction_id: null } },
} as const satisfies Readonly<Record<string, RedirectMethod>>

export type RedirectType = keyof typeof METHODS
export const REDIRECT_TYPES = Object.keys(METHODS) as RedirectType[]

/** A method whose buyer approves on a page. */
export function redirectMethod(type: string): RedirectMethod | undefined {
  return Object.hasOwn(METHODS, type) ? METHODS[type as RedirectType] : undefined
}

/** Refuses a payment method that lacks what its type requires of the buyer. */
export function checkBuyer(type: string, params: Params): void {
  for (const path of redirectMethod(type)?.requires ?? []) {
    if (textAt(params, 'billing_details', ...path)) continue
    const full = `billing_details${path.map((name) => `[${name}]`).join('')}`
    throw invalid('parameter_missing', `Missing required param: ${full}.`, full)
  }
}
