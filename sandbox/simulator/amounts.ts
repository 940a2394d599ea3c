import type { Operation } from './store.ts'

/** Half of it is approved if the request allows a part. Otherwise it is declined for insufficient funds. */
const PARTIAL_AMOUNT = 600001
/** Refused if it is paid with a network token, so that the number can be tried. */
const NO_TOKEN_AMOUNT = 600003
/** Stays pending until a notification or a cancel. */
const PENDING_AMOUNT = 600002

const AUTHORIZATIONS = series({
  200001: [
    'canceled_payment_method',
    'disputed_transaction',
    'duplicate_transaction',
    'expired_authorization',
    'expired_payment_method',
    'incorrect_billing_address',
    'incorrect_country',
    'incorrect_currency',
    'incorrect_cvv',
    'incorrect_expiry_date',
    'insufficient_funds',
    'issuer_decline',
    'other_decline',
    'requires_buyer_authentication',
    'refused_transaction',
    'service_decline',
    'suspected_fraud',
    'unavailable_payment_method',
    'unknown_payment_method',
    'unsupported_transaction',
    'unsupported_payment_method',
    'cancelled_buyer_approval',
  ],
  300001: [
    'insufficient_service_permissions',
    'invalid_amount',
    'invalid_payment_method',
    'invalid_service_configuration',
    'invalid_service_credentials',
    'invalid_service_response',
    'invalid_tax_identifier',
    'missing_billing_address',
    'missing_cvv',
    'missing_shipping_address',
    'missing_tax_identifier',
    'refund_period_expired',
    'service_error',
    'service_network_error',
    'service_rate_limit',
  ],
  400001: [
    'internal_error',
    'invalid_billing_address',
    'invalid_operation',
    'invalid_request_parameters',
    'invalid_service_request',
    'invalid_shipping_address',
    'service_resource_conflict',
    'unexpected_state',
    'unknown_error',
    'unknown_service_resource',
    'unsupported_country',
    'unsupported_currency',
    'unrecognised_country',
    'unrecognised_currency',
    'unrecognised_payment_method',
    'unrecognised_scheme',
    'unsupported_scheme',
  ],
})

const CAPTURES = series({ 500001: ['service_network_error', 'refused_transaction'] })

const REFUSALS: Readonly<Record<Operation, ReadonlyMap<number, string>>> = {
  authorize: AUTHORIZATIONS,
  // An increment authorizes more money, so it gets the answers of an authorization.
  increment: AUTHORIZATIONS,
  capture: CAPTURES,
  void: series({ 510001: ['service_network_error', 'issuer_decline'] }),
  refund: series({
    520001: ['disputed_transaction', 'issuer_decline', 'service_error', 'refund_already_satisfied'],
  }),
  payout: series({ 530001: ['service_decline', 'service_error'] }),
  // A cancel and a token have no amount of their own: only a lever refuses them.
  cancel: series({ 540001: ['service_decline', 'service_error'] }),
  tokenize: series({ 550001: ['invalid_payment_method', 'service_error'] }),
  forgetToken: series({}),
  // The processor does these by itself.
  chargeback: series({}),
  chargebackReversal: series({}),
  lateFailure: series({}),
  disputeAnswer: series({}),
  disputeEnd: series({}),
}

export type Verdict =
  | { readonly status: 'approved' | 'pending'; readonly amount: number }
  | { readonly status: 'refused'; readonly code: string; readonly description: string }

/** Decides an authorization, or a sale, which captures at once. */
export function judgeAuthorization(request: {
  readonly amount: number
  readonly isSale: boolean
  readonly isPartialAllowed: boolean
  readonly instrument: { readonly presented: { readonly type: string } }
}): Verdict {
  const { amount, isSale, isPartialAllowed, instrument } = request
  const refusal = refusalByAmount('authorize', amount) ?? (isSale ? refusalByAmount('capture', amount) : null)
  if (refusal) return refusal
  if (amount === NO_TOKEN_AMOUNT && instrument.presented.type === 'network-token') {
    return { status: 'refused', code: String(amount), description: 'unsupported_payment_method' }
  }
  if (amount === PARTIAL_AMOUNT && !isPartialAllowed) {
    return { status: 'refused', code: String(amount), description: 'insufficient_funds' }
  }
  return {
    status: amount === PENDING_AMOUNT ? 'pending' : 'approved',
    amount: amount === PARTIAL_AMOUNT ? Math.floor(amount / 2) : amount,
  }
}

export function refusalByAmount(
  operation: Operation,
  amount: number,
): (Verdict & { status: 'refused' }) | null {
  const description = REFUSALS[operation].get(amount)
  return description === undefined ? null : { status: 'refused', code: String(amount), description }
}

/** Whether an operation can be refused for this reason. */
export function isRefusalOf(operation: Operation, description: string): boolean {
  return refusalNamed(operation, description) !== null
}

/** The refusal that the amount of this reason would give. */
export function refusalNamed(
  operation: Operation,
  description: string,
): (Verdict & { status: 'refused' }) | null {
  const found = [...REFUSALS[operation]].find(([, reason]) => reason === description)
  return found ? { status: 'refused', code: String(found[0]), description } : null
}

/** The first pair that fits decides. Without a postal code there is nothing to compare. */
export function checkPostalCode(postalCode: string | null): string | null {
  if (postalCode === null || postalCode === '') return null
  if (postalCode.includes('77')) return 'no_match'
  if (postalCode.includes('88')) return 'partial_match_postcode'
  if (postalCode.includes('99')) return 'partial_match_address'
  return 'match'
}

export function checkSecurityCode(code: string | null): string {
  if (code === null || code === '' || code === '222') return 'not_provided'
  return code === '333' ? 'no_match' : 'match'
}

/** The ISO 8583 code that an issuer or a network would give, for reasons that are theirs. */
const ISO_CODES: Readonly<Record<string, string>> = {
  canceled_payment_method: '46',
  duplicate_transaction: '94',
  expired_payment_method: '54',
  incorrect_cvv: 'N7',
  incorrect_expiry_date: '54',
  insufficient_funds: '51',
  invalid_amount: '13',
  invalid_payment_method: '14',
  requires_buyer_authentication: '1A',
  service_network_error: '91',
  suspected_fraud: '59',
  unavailable_payment_method: '62',
  unknown_payment_method: '14',
  unsupported_payment_method: '57',
  unsupported_transaction: '57',
}

export function isoCodeOf(code: string, description: string): string {
  if (code === '00') return '00'
  // The processor itself takes no tokens. An issuer that forbids a payment would forbid it to the number, too.
  if (code === String(NO_TOKEN_AMOUNT)) return '96'
  // 3xxxxx and 4xxxxx never reached an issuer: the system could not do it.
  return ISO_CODES[description] ?? (/^[34]\d{5}$/.test(code) ? '96' : '05')
}

/** Numbers each list from its start on. */
function series(lists: Readonly<Record<number, readonly string[]>>): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(lists).flatMap(([first, descriptions]) =>
      descriptions.map((description, index) => [Number(first) + index, description] as const),
    ),
  )
}
