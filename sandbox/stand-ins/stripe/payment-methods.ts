import type { Books, Hidden } from './books.ts'
import { checkBuyer, OTHER_TYPES } from './methods.ts'
import type { BillingDetails, MethodType, PaymentMethod } from './objects.ts'
import {
  checkParams,
  integerAt,
  metadataAt,
  type Params,
  requireParams,
  type Shape,
  textAt,
} from './params.ts'
import { invalid, missing, StripeError } from './stripe-error.ts'
import { brandOf, isLuhn, TEST_METHODS } from './test-methods.ts'

const ADDRESS = {
  city: 'text',
  country: 'text',
  line1: 'text',
  line2: 'text',
  postal_code: 'text',
  state: 'text',
} as const

const TYPES = ['card', 'bacs_debit', 'sepa_debit', 'us_bank_account', ...OTHER_TYPES] as const

/** What `payment_method_data` may hold. A raw card is not among it: that needs a payment method of its own. */
export const METHOD_DATA = {
  type: TYPES,
  billing_details: { address: ADDRESS, email: 'text', name: 'text', phone: 'text', tax_id: 'text' },
  bacs_debit: { account_number: 'text', sort_code: 'text' },
  payto: { account_number: 'text', bsb_number: 'text', pay_id: 'text' },
  sepa_debit: { iban: 'text' },
  us_bank_account: {
    account_number: 'text',
    routing_number: 'text',
    account_type: ['checking', 'savings'],
    account_holder_type: ['individual', 'company'],
  },
  boleto: { tax_id: 'text' },
  ideal: { bank: 'text' },
  klarna: { dob: { day: 'integer', month: 'integer', year: 'integer' } },
  metadata: 'metadata',
  allow_redisplay: ['always', 'limited', 'unspecified'],
} as const satisfies Readonly<Record<string, Shape>>

const CREATE = {
  ...METHOD_DATA,
  card: { number: 'text', exp_month: 'integer', exp_year: 'integer', cvc: 'text', token: 'text' },
  expand: 'texts',
} as const

export function createMethod(books: Books, params: Params): PaymentMethod {
  checkParams(params, CREATE)
  requireParams(params, 'type')
  return storeMethod(books, params)
}

/** Also for `payment_method_data` of an intent. */
export function storeMethod(books: Books, params: Params): PaymentMethod {
  const type = textAt(params, 'type') as MethodType
  checkBuyer(type, params)
  const method: PaymentMethod = {
    id: books.id('pm'),
    object: 'payment_method',
    billing_details: billingDetails(params),
    created: books.seconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: metadataAt(params),
    type,
    allow_redisplay: 'unspecified',
  }
  const { shown, hidden } = detailsOf(books, type, params)
  method[type] = shown
  books.methods.set(method.id, method)
  books.hidden.set(method.id, hidden)
  return method
}

/** A stored one, or one of those that exist in every test account. */
export function findMethod(books: Books, id: string): PaymentMethod {
  const card = testCard(id)
  if (card) return storeMethod(books, { type: 'card', card })
  const found = books.methods.get(id)
  if (!found) throw missing('PaymentMethod', id, 'payment_method')
  return found
}

function testCard(id: string): Params | undefined {
  const number = TEST_METHODS[id]
  return number === undefined ? undefined : { number, exp_month: '12', exp_year: '2040', cvc: '123' }
}

/** `tok_visa` is the card of `pm_card_visa`. */
function cardOfToken(token: string): Params {
  const card = testCard(token.replace(/^tok_/, 'pm_card_'))
  if (!card) throw missing('token', token, 'card[token]')
  return card
}

function detailsOf(books: Books, type: MethodType, params: Params): { shown: object; hidden: Hidden } {
  switch (type) {
    case 'card': {
      const token = textAt(params, 'card', 'token')
      return cardOf(books, token === null ? params : { card: cardOfToken(token) })
    }
    case 'sepa_debit': {
      const iban = (textAt(params, 'sepa_debit', 'iban') ?? '').replaceAll(' ', '')
      if (!/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(iban)) {
        throw invalid('parameter_invalid_empty', 'The IBAN is invalid.', 'sepa_debit[iban]')
      }
      const shown = {
        bank_code: iban.slice(4, 9),
        branch_code: '',
        country: iban.slice(0, 2),
        fingerprint: 'stand-in',
        generated_from: { charge: null, setup_attempt: null },
        last4: iban.slice(-4),
      }
      return { shown, hidden: { iban } }
    }
    case 'bacs_debit':
      return britishAccountOf(params)
    case 'us_bank_account':
      return bankAccountOf(params)
    default:
      return { shown: {}, hidden: {} }
  }
}

/** Stripe's accounts for tests have the sort code 108800. The scheme requires name, e-mail and address of the holder. */
function britishAccountOf(params: Params): { shown: object; hidden: Hidden } {
  const account = textAt(params, 'bacs_debit', 'account_number') ?? ''
  const sortCode = (textAt(params, 'bacs_debit', 'sort_code') ?? '').replaceAll('-', '')
  if (!/^\d{6}$/.test(sortCode))
    throw invalid('sort_code_invalid', 'The sort code is invalid.', 'bacs_debit[sort_code]')
  if (!/^\d{8}$/.test(account))
    throw invalid('account_number_invalid', 'The account number is invalid.', 'bacs_debit[account_number]')
  for (const path of [
    ['name'],
    ['email'],
    ['address', 'line1'],
    ['address', 'postal_code'],
    ['address', 'country'],
  ]) {
    const full = `billing_details${path.map((name) => `[${name}]`).join('')}`
    if (textAt(params, 'billing_details', ...path) === null)
      throw invalid('parameter_missing', `Missing required param: ${full}.`, full)
  }
  return {
    shown: { fingerprint: 'stand-in', last4: account.slice(-4), sort_code: sortCode },
    hidden: { account },
  }
}

function bankAccountOf(params: Params): { shown: object; hidden: Hidden } {
  const account = textAt(params, 'us_bank_account', 'account_number') ?? ''
  const routing = textAt(params, 'us_bank_account', 'routing_number') ?? ''
  if (!/^\d{9}$/.test(routing)) {
    throw invalid(
      'routing_number_invalid',
      'The routing number is invalid.',
      'us_bank_account[routing_number]',
    )
  }
  if (!/^\d{4,17}$/.test(account)) {
    throw invalid(
      'account_number_invalid',
      'The account number is invalid.',
      'us_bank_account[account_number]',
    )
  }
  if (textAt(params, 'billing_details', 'name') === null) {
    throw invalid(
      'parameter_missing',
      'Missing required param: billing_details[name].',
      'billing_details[name]',
    )
  }
  const shown = {
    account_holder_type: textAt(params, 'us_bank_account', 'account_holder_type'),
    account_type: textAt(params, 'us_bank_account', 'account_type') ?? 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: 'stand-in',
    last4: account.slice(-4),
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: routing,
    status_details: {},
  }
  return { shown, hidden: { account } }
}

/** Refuses what no bank is asked about. Source: https://docs.stripe.com/testing#declined-payments */
function cardOf(books: Books, params: Params): { shown: object; hidden: Hidden } {
  const number = textAt(params, 'card', 'number') ?? ''
  const cvc = textAt(params, 'card', 'cvc')
  const month = integerAt(params, 'card', 'exp_month') ?? 0
  const year = integerAt(params, 'card', 'exp_year') ?? 0
  if (!isLuhn(number)) throw cardError('incorrect_number', 'Your card number is incorrect.', 'number')
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
  const now = books.now()
  if (year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  }
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  }
  const brand = brandOf(number)
  const shown = {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: cvc === null ? null : 'unchecked',
    },
    country: 'US',
    display_brand: brand,
    exp_month: month,
    exp_year: year,
    fingerprint: 'stand-in',
    funding: 'credit',
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
  return { shown, hidden: { number } }
}

function cardError(code: string, message: string, param: string): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, param })
}

function billingDetails(params: Params): BillingDetails {
  const at = (...path: string[]) => textAt(params, 'billing_details', ...path)
  return {
    address: {
      city: at('address', 'city'),
      country: at('address', 'country'),
      line1: at('address', 'line1'),
      line2: at('address', 'line2'),
      postal_code: at('address', 'postal_code'),
      state: at('address', 'state'),
    },
    email: at('email'),
    name: at('name'),
    phone: at('phone'),
    tax_id: at('tax_id'),
  }
}
