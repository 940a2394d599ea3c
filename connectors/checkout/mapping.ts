import type { ErrorCode } from '#connectors/contract/codes.ts'
import type {
  AvsResponseCode,
  CvvResponseCode,
  Dispute,
  DisputeStage,
  DisputeStep,
} from '#connectors/contract/connector.ts'

/**
 * Checkout.com's words in ours, as data: docs/connectors/checkout-codes.md shows these tables. Sources are pages below
 * https://www.checkout.com/docs/developer-resources.
 */

/** Codes by what they mean for us. `unknown`: they do not say what became of the payment. */
function spread<Meaning extends string>(table: Readonly<Partial<Record<Meaning, string>>>) {
  const rows = Object.entries(table) as [Meaning, string][]
  return Object.fromEntries(
    rows.flatMap(([meaning, codes]) => codes.split(' ').map((code) => [code, meaning])),
  )
}

/** `response_code` of a payment or an action that was declined: codes/api-response-codes. */
export const RESPONSES: Readonly<Record<string, ErrorCode | 'unknown'>> = spread<ErrorCode | 'unknown'>({
  unknown: '20009 20118',
  issuer_decline: '20001 20002 20005 20046 20060 20063 20066 20078 20082 20093 20099 20108 20179 20182 200N0',
  insufficient_funds: '20051 20061 20065 200P1 200P9 30021 30022',
  expired_payment_method: '20054 30033',
  incorrect_expiry_date: '20100',
  incorrect_cvv: '20087 200N7 40104',
  missing_cvv: '20124',
  invalid_payment_method: '20014 20056 20101 20114 30015',
  unavailable_payment_method: '20039 20044 20052 20053 20083 30046',
  canceled_payment_method: '20062 20067 30004 30007 30035 30036 30037 30041 30043',
  refused_transaction: '20012 20018 20038 20055 20057 20058 20064 20075 2006P 200O5 200R1 200R3 30038 30044',
  suspected_fraud: '20059 20183 30034 40101 40201 40202 40203 40204 40205',
  requires_buyer_authentication: '20150 20151 20153 20154 20155',
  cancelled_buyer_approval: '20017 20152',
  unsupported_transaction: '20040 20086 20156 30016 30017 30018 30019',
  unsupported_payment_method: '20103 200T3',
  unsupported_currency: '20106',
  unrecognised_country: '20193',
  invalid_amount: '20013 20042 20109 30020',
  duplicate_transaction: '20094',
  missing_billing_address: '20107 20123',
  incorrect_billing_address: '40108 40111',
  invalid_service_configuration: '20003 20102 20112 20157',
  invalid_service_request: '20006 20113 20115 20116 20117 20119 20120 30045',
  unexpected_state: '20110 20111',
  refund_period_expired: '20158',
  service_decline:
    '20019 20020 20021 20022 20023 20028 20030 20031 20068 20084 20085 20088 20089 20090 20091 20092 20095 20096 20097 20098 20104 20105 20121 200S4 200T2 200T5',
})

/** A code that is new, by how it begins: declines of issuers, those that stay, of risk rules, and Checkout.com's own. */
export const RANGES: Readonly<Record<string, ErrorCode>> = {
  '20': 'other_decline',
  '30': 'refused_transaction',
  '40': 'suspected_fraud',
  '50': 'service_decline',
}

/** `error_codes` of a request that was refused, as far as pages name them: codes/error-codes. Others are an invalid request. */
export const ERRORS: Readonly<Record<string, ErrorCode>> = spread<ErrorCode>({
  invalid_service_credentials: 'sandbox_with_live_key',
  invalid_payment_method: 'card_number_invalid card_number_required card_holder_invalid',
  unavailable_payment_method: 'card_not_found card_disabled',
  expired_payment_method: 'card_expired',
  incorrect_expiry_date:
    'card_expiry_month_invalid card_expiry_month_required card_expiry_year_invalid card_expiry_year_required',
  invalid_amount:
    'amount_invalid amount_exceeds_balance capture_value_greater_than_authorized capture_value_greater_than_remaining_authorized',
  unsupported_currency: 'currency_not_supported',
  unsupported_scheme: 'scheme_not_supported',
  issuer_decline: 'card_authorization_failed',
  invalid_billing_address: 'address_country_invalid',
  invalid_shipping_address: 'address_invalid',
  invalid_service_configuration: 'business_invalid business_settings_missing',
  unexpected_state: 'action_failure_limit_exceeded',
  service_rate_limit: 'api_calls_quota_exceeded',
})

/** `status` of a payment. `stated`: its field `approved` says what became of the authorization. */
export const STATUSES: Readonly<Record<string, 'approved' | 'refused' | 'pending' | 'stated'>> = {
  Authorized: 'approved',
  'Card Verified': 'approved',
  'Partially Captured': 'approved',
  Captured: 'approved',
  'Partially Refunded': 'approved',
  Refunded: 'approved',
  Voided: 'approved',
  Declined: 'refused',
  Canceled: 'stated',
  Expired: 'stated',
  Pending: 'pending',
}

/** `status` of a payout. */
export const PAYOUTS: Readonly<Record<string, 'approved' | 'refused' | 'pending' | 'returned'>> = {
  Paid: 'approved',
  Pending: 'pending',
  Requested: 'pending',
  'Retry Scheduled': 'pending',
  Declined: 'refused',
  Canceled: 'refused',
  Expired: 'refused',
  Returned: 'returned',
}

/** `source.avs_check`: codes/avs-codes. */
export const AVS: Readonly<Record<string, AvsResponseCode>> = spread<AvsResponseCode>({
  match: 'D F M X Y AE6',
  no_match: 'N AE8',
  partial_match_address: 'A B AE3 AE7',
  partial_match_postcode: 'P W Z AE1 AE5',
  partial_match_name: 'AE4',
  unavailable: 'C G I R S U',
})

/** `source.cvv_check`: codes/cvv-response-codes. */
export const CVV: Readonly<Record<string, CvvResponseCode>> = spread<CvvResponseCode>({
  match: 'Y',
  no_match: 'D',
  not_provided: 'N',
  unavailable: 'P U X',
})

/** What a webhook of the source `gateway` tells: event-notifications/event-types. */
export const EVENTS = {
  payment_approved: 'authorization approved',
  payment_declined: 'authorization refused',
  payment_canceled: 'authorization canceled',
  payment_expired: 'authorization canceled',
  card_verified: 'authorization approved',
  card_verification_declined: 'authorization refused',
  payment_captured: 'capture approved',
  payment_capture_declined: 'capture refused',
  payment_voided: 'void approved',
  payment_void_declined: 'void refused',
  payment_refunded: 'refund approved',
  payment_refund_declined: 'refund refused',
  payment_paid: 'payout approved',
  payment_returned: 'payout returned',
} as const satisfies Readonly<Record<string, string>>

export type DisputeRow = {
  /** `dispute`: it moves no money. */
  readonly takes: Dispute['about'] | DisputeStep['about']
  /** Null leaves the dispute where it is. */
  readonly stage: DisputeStage | null
}

/** What a webhook of the source `dispute` tells: the same page. */
export const DISPUTE_EVENTS: Readonly<Record<string, DisputeRow>> = {
  dispute_evidence_required: { takes: 'chargeback', stage: 'chargeback' },
  dispute_evidence_submitted: { takes: 'dispute', stage: null },
  dispute_accepted: { takes: 'dispute', stage: 'lost' },
  dispute_lost: { takes: 'dispute', stage: 'lost' },
  dispute_expired: { takes: 'dispute', stage: 'expired' },
  dispute_won: { takes: 'chargeback_reversal', stage: 'won' },
  dispute_canceled: { takes: 'chargeback_reversal', stage: 'won' },
  // It follows a refund. No page says whether money moves.
  dispute_resolved: { takes: 'dispute', stage: null },
  dispute_arbitration_evidence_submitted: { takes: 'dispute', stage: 'arbitration' },
  dispute_arbitration_lost: { takes: 'dispute', stage: 'lost' },
  dispute_arbitration_won: { takes: 'chargeback_reversal', stage: 'won' },
}

/** The reason of a refusal, by its response code. Null: the code does not say that it is one. */
export function codeOf(response: string | null): ErrorCode | null {
  const code = RESPONSES[response ?? ''] ?? RANGES[response?.slice(0, 2) ?? ''] ?? 'other_decline'
  return code === 'unknown' ? null : code
}

/** `Breakdown Type` of rows of financial actions that move the money of a payment: reconcile-with-checkout-com/breakdown-types */
export const BREAKDOWNS: ReadonlyMap<
  string,
  'settlement' | 'refund_settlement' | 'by sign: dispute' | 'by sign: failed later'
> = new Map([
  ['Capture', 'settlement'],
  ['Partial Capture', 'settlement'],
  ['Refund', 'refund_settlement'],
  ['Partial Refund', 'refund_settlement'],
  ['Clearing Failed', 'by sign: failed later'],
  ['Chargeback (ADJM)', 'by sign: dispute'],
  ['Chargeback (ARWS)', 'by sign: dispute'],
  ['Chargeback (AUTO)', 'by sign: dispute'],
  ['Chargeback (CBRV)', 'by sign: dispute'],
  ['Chargeback (RPDW)', 'by sign: dispute'],
  ['Chargeback (ARBW)', 'by sign: dispute'],
])

/** What an action costs. The loss of an arbitration costs a fee. */
export const COSTS = /( Fee| Tax|^Chargeback \(ARBL\))$/

/** How rows begin that are about no payment of ours: transfers, reserves, and money that was paid out. */
export const NO_PAYMENTS: readonly string[] = [
  'Collateral',
  'Cover Negative Position',
  'Invoice Settlement',
  'Operational Funding',
  'Pay to ',
  'Payout',
  'Rolling Reserve',
  'Security Deposit',
  'Top Up',
  'Transaction Amount Discrepancy',
  'Transfer',
]
