import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { AvsResponseCode, CvvResponseCode } from '#connectors/contract/connector.ts'

/** CyberSource's words in ours, as data: docs/connectors/cybersource-codes.md shows these tables. */

function spread<Meaning extends string>(
  table: Readonly<Partial<Record<Meaning, string>>>,
): Readonly<Record<string, Meaning>> {
  const rows = Object.entries(table) as [Meaning, string][]
  return Object.fromEntries(
    rows.flatMap(([meaning, codes]) => codes.split(' ').map((code) => [code, meaning])),
  )
}

/**
 * `status` of a payment. `review`: Decision Manager holds it for a person. `stopped`: the issuer may have approved, and CyberSource or
 * its rules have not; what is held must be given back.
 */
export const STATUSES = {
  AUTHORIZED: 'approved',
  PARTIAL_AUTHORIZED: 'partial',
  AUTHORIZED_PENDING_REVIEW: 'review',
  PENDING_REVIEW: 'review',
  AUTHORIZED_RISK_DECLINED: 'stopped',
  DECLINED: 'refused',
  INVALID_REQUEST: 'refused',
  PENDING_AUTHENTICATION: 'refused',
} as const

/** The only reason of a payment in review that a person decides. The others are soft declines. */
export const UNDER_REVIEW = 'DECISION_PROFILE_REVIEW'

/** `errorInformation.reason` of a payment, a refund or a transaction. */
export const REASONS = spread<ErrorCode>({
  incorrect_billing_address: 'AVS_FAILED',
  issuer_decline: 'CONTACT_PROCESSOR PROCESSOR_DECLINED PAYMENT_REFUSED',
  expired_payment_method: 'EXPIRED_CARD',
  insufficient_funds: 'INSUFFICIENT_FUND EXCEEDS_CREDIT_LIMIT DEBIT_CARD_USAGE_LIMIT_EXCEEDED',
  canceled_payment_method: 'STOLEN_LOST_CARD BLOCKED_BY_CARDHOLDER',
  unavailable_payment_method: 'UNAUTHORIZED_CARD SUSPENDED_ACCOUNT',
  incorrect_cvv: 'CVN_NOT_MATCH INVALID_CVN CV_FAILED ALLOWABLE_PIN_RETRIES_EXCEEDED',
  invalid_payment_method: 'INVALID_ACCOUNT ACH_VERIFICATION_FAILED',
  refused_transaction: 'DECLINED_CHECK',
  service_decline: 'ISSUER_UNAVAILABLE PROCESSOR_ERROR DAGGREJECTED DAGGDENIED DSYSREJECTED',
  suspected_fraud:
    'BLACKLISTED_CUSTOMER DECISION_PROFILE_REJECT DECISION_PROFILE_REVIEW SCORE_EXCEEDS_THRESHOLD CUSTOMER_WATCHLIST_MATCH ADDRESS_COUNTRY_WATCHLIST_MATCH EMAIL_COUNTRY_WATCHLIST_MATCH IP_COUNTRY_WATCHLIST_MATCH',
  requires_buyer_authentication:
    'PENDING_AUTHENTICATION CONSUMER_AUTHENTICATION_REQUIRED CONSUMER_AUTHENTICATION_FAILED',
  invalid_service_configuration: 'INVALID_MERCHANT_CONFIGURATION',
  other_decline: 'GENERAL_DECLINE',
})

/** `reason` of a request that was refused with 400. Nothing was done. Others are an invalid request. */
export const ERRORS = spread<ErrorCode>({
  invalid_service_request: 'MISSING_FIELD INVALID_DATA',
  invalid_payment_method: 'INVALID_CARD',
  unsupported_payment_method: 'CARD_TYPE_NOT_ACCEPTED INVALID_CARD_TYPE',
  invalid_service_configuration: 'INVALID_MERCHANT_CONFIGURATION',
  service_network_error: 'PROCESSOR_UNAVAILABLE',
  invalid_amount: 'INVALID_AMOUNT EXCEEDS_AUTH_AMOUNT',
  unknown_service_resource: 'INVALID_PAYMENT_ID MISSING_AUTH',
  unsupported_transaction: 'NOT_SUPPORTED ACCOUNT_NOT_ALLOWED_CREDIT',
  service_resource_conflict:
    'DUPLICATE_REQUEST AUTH_ALREADY_REVERSED TRANSACTION_ALREADY_SETTLED TRANSACTION_ALREADY_REVERSED_OR_SETTLED CAPTURE_ALREADY_VOIDED',
})

/** What CyberSource does for an operation, as its search names it (`applications[].name`). */
export const APPLICATIONS = {
  authorize: 'ics_auth',
  capture: 'ics_bill',
  void: 'ics_auth_reversal',
  refund: 'ics_credit',
} as const

/** `reasonCode` of a transaction in the search that says more than its `rCode`. */
export const REASON_CODES = {
  '101': 'not carried out',
  '102': 'not carried out',
  '104': 'not carried out',
  '480': 'in review',
} as const

/** `processorInformation.avs.code`. */
export const AVS = spread<AvsResponseCode>({
  match: 'D H J M Q V X Y',
  partial_match_address: 'A B O T',
  partial_match_postcode: 'F L P W Z',
  partial_match_name: 'K',
  no_match: 'C N',
  unavailable: 'E G I R S U 1 2',
})

/** `processorInformation.cardVerification.resultCode`. */
export const CVV = spread<CvvResponseCode>({
  match: 'M',
  no_match: 'I N',
  unavailable: 'D P U X 1 2 3',
  not_provided: 'S',
})

/** The reason of a refusal. */
export function codeOfReason(reason: string | null): ErrorCode {
  return REASONS[reason ?? ''] ?? 'other_decline'
}

/** What is missing may be the buyer's, and then merchants can send it. */
export function codeOfError(reason: string | null, places: readonly string[]): ErrorCode {
  if (reason === 'MISSING_FIELD' && places.length > 0) {
    if (places.every((place) => place.includes('billTo'))) return 'missing_billing_address'
    if (places.every((place) => place.endsWith('securityCode'))) return 'missing_cvv'
  }
  return ERRORS[reason ?? ''] ?? 'invalid_service_request'
}
