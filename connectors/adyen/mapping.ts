import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { AvsResponseCode, CvvResponseCode, DisputeStage } from '#connectors/contract/connector.ts'

/**
 * Adyen's words in ours, as data: the page docs/connectors/adyen.md shows these tables, and a test walks Adyen's lists.
 * Sources are pages of docs.adyen.com.
 */

export type RefusalRow = {
  readonly reason: string
  /** Null: it does not say that the payment was refused, so the outcome is unknown. */
  readonly code: ErrorCode | null
  /** Given if another provider may not be asked although the code would allow it. */
  readonly isRetriable?: false
}

/** `refusalReasonCode`: development-resources/refusal-reasons, development-resources/testing/result-codes. */
export const REFUSALS: Readonly<Record<string, RefusalRow>> = {
  '0': { reason: 'Unknown', code: null },
  '2': { reason: 'Refused', code: 'issuer_decline' },
  '3': { reason: 'Referral', code: 'issuer_decline' },
  '4': { reason: 'Acquirer Error', code: 'service_decline' },
  '5': { reason: 'Blocked Card', code: 'canceled_payment_method' },
  '6': { reason: 'Expired Card', code: 'expired_payment_method' },
  '7': { reason: 'Invalid Amount', code: 'invalid_amount' },
  '8': { reason: 'Invalid Card Number', code: 'invalid_payment_method' },
  '9': { reason: 'Issuer Unavailable', code: 'service_decline' },
  '10': { reason: 'Not supported', code: 'unsupported_transaction' },
  '11': { reason: '3D Not Authenticated', code: 'requires_buyer_authentication' },
  '12': { reason: 'Not enough balance', code: 'insufficient_funds' },
  '14': { reason: 'Acquirer Fraud', code: 'suspected_fraud' },
  '15': { reason: 'Cancelled', code: 'refused_transaction' },
  '16': { reason: 'Shopper Cancelled', code: 'cancelled_buyer_approval' },
  '17': { reason: 'Invalid Pin', code: 'issuer_decline' },
  '18': { reason: 'Pin tries exceeded', code: 'issuer_decline', isRetriable: false },
  '19': { reason: 'Pin validation not possible', code: 'issuer_decline' },
  '20': { reason: 'FRAUD', code: 'suspected_fraud' },
  '21': { reason: 'Not Submitted', code: 'service_decline' },
  '22': { reason: 'FRAUD-CANCELLED', code: 'suspected_fraud' },
  '23': { reason: 'Transaction Not Permitted', code: 'issuer_decline', isRetriable: false },
  '24': { reason: 'CVC Declined', code: 'incorrect_cvv' },
  '25': { reason: 'Restricted Card', code: 'canceled_payment_method' },
  '26': { reason: 'Revocation Of Auth', code: 'refused_transaction' },
  '27': { reason: 'Declined Non Generic', code: 'issuer_decline' },
  '28': { reason: 'Withdrawal amount exceeded', code: 'insufficient_funds' },
  '29': { reason: 'Withdrawal count exceeded', code: 'insufficient_funds' },
  '31': { reason: 'Issuer Suspected Fraud', code: 'suspected_fraud' },
  '32': { reason: 'AVS Declined', code: 'incorrect_billing_address' },
  '33': { reason: 'Card requires online pin', code: 'issuer_decline', isRetriable: false },
  '34': { reason: 'No checking account available on Card', code: 'unavailable_payment_method' },
  '35': { reason: 'No savings account available on Card', code: 'unavailable_payment_method' },
  '36': { reason: 'Mobile PIN required', code: 'issuer_decline', isRetriable: false },
  '37': { reason: 'Contactless fallback', code: 'unsupported_transaction' },
  '38': { reason: 'Authentication required', code: 'requires_buyer_authentication' },
  '39': { reason: 'RReq not received from DS', code: 'requires_buyer_authentication' },
  '40': { reason: 'Current AID is in Penalty Box.', code: 'service_decline' },
  '41': { reason: 'CVM Required Restart Payment', code: 'unsupported_transaction' },
  '42': { reason: '3DS Authentication Error', code: 'requires_buyer_authentication' },
  '43': { reason: 'Online PIN required', code: 'issuer_decline', isRetriable: false },
  '44': { reason: 'Try another interface', code: 'unsupported_transaction' },
  '45': { reason: 'Chip downgrade mode', code: 'unsupported_transaction' },
  '46': {
    reason: 'Transaction blocked by Adyen to prevent excessive retry fees',
    code: 'refused_transaction',
  },
}

/** What becomes of a payment with this `resultCode`. online-payments/build-your-integration/payment-result-codes */
export const RESULTS = {
  Authorised: 'approved',
  PartiallyAuthorised: 'approved',
  Refused: 'refused',
  Cancelled: 'refused',
  /** Only some of its reasons say that nothing was done. */
  Error: 'refused',
  Received: 'pending',
  /** With an action, the buyer has to scan a code, or to approve in an app. */
  Pending: 'pending',
  RedirectShopper: 'approval_required',
  PresentToShopper: 'approval_required',
  /** Only Adyen's own script can show these, and we ask for pages instead. Nothing is charged without them. */
  IdentifyShopper: 'unusable',
  ChallengeShopper: 'unusable',
  /** Of authentications without a payment, which we never ask for. */
  AuthenticationFinished: 'unknown',
  AuthenticationNotRequired: 'unknown',
  Success: 'unknown',
} as const satisfies Readonly<Record<string, string>>

export type ErrorRow = { readonly meaning: string; readonly code: ErrorCode | null }

/**
 * `errorCode` of an answer that is no result: development-resources/error-codes. Null: it says nothing about an earlier
 * request with the same key, so the outcome is unknown.
 */
export const ERRORS: Readonly<Record<string, ErrorRow>> = {
  '010': { meaning: 'the API key may not do this', code: 'insufficient_service_permissions' },
  '100': { meaning: 'no amount was given', code: 'invalid_amount' },
  '101': { meaning: 'the card number is invalid', code: 'invalid_payment_method' },
  '102': { meaning: 'no card scheme fits the number', code: 'unsupported_scheme' },
  '103': { meaning: 'the security code has the wrong length', code: 'incorrect_cvv' },
  '104': { meaning: 'the billing address is invalid', code: 'invalid_billing_address' },
  '129': { meaning: 'the expiry date is invalid', code: 'incorrect_expiry_date' },
  '130': { meaning: 'no reference was given', code: 'invalid_service_request' },
  '137': { meaning: 'the amount is invalid', code: 'invalid_amount' },
  '138': { meaning: 'the currency is not supported', code: 'unsupported_currency' },
  '140': { meaning: 'the expiry month is invalid', code: 'incorrect_expiry_date' },
  '141': { meaning: 'the expiry year is invalid', code: 'incorrect_expiry_date' },
  '161': { meaning: 'the IBAN is invalid', code: 'invalid_payment_method' },
  '167': { meaning: 'Adyen knows no such payment', code: 'unknown_service_resource' },
  '702': { meaning: 'the request has a field that Adyen does not know', code: 'invalid_service_request' },
  '703': { meaning: 'the idempotency key cannot be used', code: null },
  '704': { meaning: 'the request was processed already, or is under way', code: null },
  '800': { meaning: 'Adyen has no stored methods of this buyer', code: 'unavailable_payment_method' },
  '803': { meaning: 'Adyen has no such stored method', code: 'unavailable_payment_method' },
  '807': {
    meaning: 'a stored method cannot be used for this kind of payment',
    code: 'invalid_service_request',
  },
  '901': {
    meaning: 'the API key has no access to the merchant account',
    code: 'invalid_service_configuration',
  },
  '905': { meaning: 'the account does not offer the method', code: 'invalid_service_configuration' },
  '905_1': { meaning: 'the account has no acquirer for the method', code: 'invalid_service_configuration' },
  '905_3': { meaning: 'the account has no acquirer for the currency', code: 'invalid_service_configuration' },
  '906': { meaning: 'the payment belongs to the other environment', code: 'unknown_service_resource' },
  '907': { meaning: 'the account does not offer the method in this country', code: 'unsupported_country' },
  '14_004': { meaning: 'the method is missing', code: 'invalid_service_request' },
  '14_018': { meaning: 'what the buyer brought back is not from Adyen', code: 'invalid_service_request' },
  '14_030': { meaning: 'the address to return to is missing', code: 'invalid_service_request' },
}

/** `additionalData.avsResult` begins with one of these. development-resources/test-cards/result-codes */
export const AVS: Readonly<Record<string, AvsResponseCode>> = {
  '0': 'unavailable',
  '1': 'partial_match_address',
  '2': 'no_match',
  '3': 'unavailable',
  '4': 'unavailable',
  '5': 'unavailable',
  '6': 'partial_match_postcode',
  '7': 'match',
  '8': 'unavailable',
  '9': 'partial_match_address',
  '10': 'no_match',
  '11': 'unavailable',
  '12': 'partial_match_address',
  '13': 'no_match',
  '14': 'partial_match_postcode',
  '15': 'partial_match_postcode',
  '16': 'no_match',
  '17': 'no_match',
  '18': 'unavailable',
  '19': 'partial_match_postcode',
  '20': 'match',
  '21': 'partial_match_address',
  '22': 'partial_match_name',
  '23': 'partial_match_postcode',
  '24': 'match',
  '25': 'partial_match_address',
  '26': 'no_match',
}

/** `additionalData.cvcResult` begins with one of these. */
export const CVC: Readonly<Record<string, CvvResponseCode>> = {
  '0': 'unavailable',
  '1': 'match',
  '2': 'no_match',
  '3': 'unavailable',
  '4': 'not_provided',
  '5': 'unavailable',
  '6': 'not_provided',
}

/** Those that `takes: 'dispute'` move no money. Null leaves the stage as it was. */
export type DisputeRow = {
  readonly takes: 'chargeback' | 'chargeback_reversal' | 'dispute'
  readonly stage: DisputeStage | null
}

export type EventRow =
  | { readonly takes: 'authorization' | 'capture' | 'void' | 'refund' | 'increment' | 'closed_offer' }
  | { readonly takes: 'capture_failed' | 'refund_failed' | 'report' }
  | DisputeRow
  /** Accepted, and why it changes nothing. */
  | { readonly ignored: string }

const UNUSED = 'a feature of Adyen that we do not use'

/** Every `eventCode` of the standard webhook: api-explorer/Webhooks/1. */
export const EVENTS: Readonly<Record<string, EventRow>> = {
  AUTHORISATION: { takes: 'authorization' },
  /** The buyer did not come back from a page in time. No authorization is told of then. */
  OFFER_CLOSED: { takes: 'closed_offer' },
  CAPTURE: { takes: 'capture' },
  CANCELLATION: { takes: 'void' },
  REFUND: { takes: 'refund' },
  /** The end of a reversal, whether Adyen cancelled or refunded. */
  CANCEL_OR_REFUND: { takes: 'refund' },
  AUTHORISATION_ADJUSTMENT: { takes: 'increment' },
  CAPTURE_FAILED: { takes: 'capture_failed' },
  REFUND_FAILED: { takes: 'refund_failed' },
  REFUNDED_REVERSED: { takes: 'refund_failed' },
  CHARGEBACK: { takes: 'chargeback', stage: 'chargeback' },
  SECOND_CHARGEBACK: { takes: 'chargeback', stage: 'second_chargeback' },
  CHARGEBACK_REVERSED: { takes: 'chargeback_reversal', stage: 'won' },
  REPORT_AVAILABLE: { takes: 'report' },
  ACH_NOTIFICATION_OF_CHANGE: {
    ignored: 'new details of a bank account, which the merchant has to ask the buyer for',
  },
  AUTORESCUE: { ignored: UNUSED },
  CANCEL_AUTORESCUE: { ignored: UNUSED },
  DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION: { ignored: 'new details of a bank account' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { takes: 'dispute', stage: 'expired' },
  EXPIRE: { ignored: 'we let authorizations expire by our own clock' },
  INFORMATION_SUPPLIED: { takes: 'dispute', stage: null },
  ISSUER_COMMENTS: { takes: 'dispute', stage: null },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { takes: 'dispute', stage: 'won' },
  MANUAL_REVIEW_ACCEPT: { ignored: 'the payment was authorized already' },
  MANUAL_REVIEW_REJECT: { ignored: 'Adyen cancels or refunds by itself, and tells of that' },
  NOTIFICATION_OF_CHARGEBACK: { takes: 'dispute', stage: 'notification' },
  NOTIFICATION_OF_FRAUD: { takes: 'dispute', stage: 'early_fraud_warning' },
  ORDER_CLOSED: { ignored: UNUSED },
  ORDER_OPENED: { ignored: UNUSED },
  PAIDOUT_REVERSED: { ignored: UNUSED },
  PAYOUT_DECLINE: { ignored: UNUSED },
  PAYOUT_EXPIRE: { ignored: UNUSED },
  PAYOUT_THIRDPARTY: { ignored: UNUSED },
  POSTPONED_REFUND: { ignored: UNUSED },
  PREARBITRATION_ACCEPTED: { takes: 'dispute', stage: 'arbitration' },
  PREARBITRATION_DECLINED: { takes: 'dispute', stage: 'arbitration' },
  PREARBITRATION_ISSUER_WITHDRAWN: { takes: 'dispute', stage: 'won' },
  PREARBITRATION_LOST: { takes: 'dispute', stage: 'lost' },
  PREARBITRATION_OPEN: { takes: 'dispute', stage: 'arbitration' },
  PREARBITRATION_WON: { takes: 'dispute', stage: 'won' },
  RECURRING_CONTRACT: { ignored: UNUSED },
  REFUND_WITH_DATA: { ignored: UNUSED },
  REQUEST_FOR_INFORMATION: { takes: 'dispute', stage: 'inquiry' },
  SCHEME_ARBITRATION: { takes: 'dispute', stage: 'arbitration' },
  SCHEME_ARBITRATION_LOST: { takes: 'dispute', stage: 'lost' },
  SCHEME_ARBITRATION_WON: { takes: 'dispute', stage: 'won' },
  TECHNICAL_CANCEL: { ignored: UNUSED },
  VOID_PENDING_REFUND: { ignored: UNUSED },
}

/**
 * `disputeStatus` of an event of a dispute, where it says more than the event: it is decided. Others leave the stage of the event.
 * https://docs.adyen.com/risk-management/disputes-api/dispute-notifications
 */
export const DISPUTE_STATUSES: Readonly<Record<string, DisputeStage>> = {
  Won: 'won',
  Lost: 'lost',
  Accepted: 'lost',
  Expired: 'expired',
}

/** `reason` of a modification that failed, by how it begins. Others are a `service_error`. */
export const MODIFICATION_REASONS: readonly (readonly [string, ErrorCode])[] = [
  ['Insufficient balance', 'invalid_amount'],
  ['Transaction has already been captured', 'unexpected_state'],
  ["Transaction hasn't been captured", 'unexpected_state'],
  ['Transaction not in', 'unexpected_state'],
  ['Transaction not found', 'unknown_service_resource'],
  ['Capture expired', 'expired_authorization'],
]
