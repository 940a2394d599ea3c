import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { AvsResponseCode, CvvResponseCode, DisputeStage } from '#connectors/contract/connector.ts'
import type { ReportLineKind } from '#connectors/contract/reports.ts'

/**
 * PayPal's words, in ours. Plain data: the page of the connectors shows it, and tests walk PayPal's lists to see that
 * nothing is missing.
 */

/** An issue that says that a request was or is being carried out decides nothing about this one. */
export type IssueMeaning = ErrorCode | 'undecided' | 'buyer'

function all<Meaning extends string>(meaning: Meaning, names: string): Record<string, Meaning> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, meaning]),
  )
}

/** Issues of 400, 401, 403, 404, 409 and 422. With all but `undecided` and `buyer`, PayPal has done nothing. */
const issues: Readonly<Record<string, IssueMeaning>> = {
  ...all(
    'undecided',
    `PREVIOUS_REQUEST_IN_PROGRESS ORDER_COMPLETION_IN_PROGRESS ORDER_ALREADY_AUTHORIZED
    ORDER_ALREADY_CAPTURED ORDER_COMPLETED_OR_VOIDED ORDER_ALREADY_COMPLETED PAYPAL_REQUEST_ID_PREVIOUSLY_USED`,
  ),
  ...all(
    'buyer',
    `ORDER_NOT_APPROVED PAYER_ACTION_REQUIRED ORDER_IS_PENDING_APPROVAL
    REDIRECT_PAYER_FOR_ALTERNATE_FUNDING SETUP_TOKEN_NOT_APPROVED`,
  ),
  ...all('cancelled_buyer_approval', 'ORDER_EXPIRED ORDER_CANNOT_BE_CONFIRMED'),
  ...all(
    'service_decline',
    `INSTRUMENT_DECLINED TRANSACTION_REFUSED PAYER_CANNOT_PAY DECLINED_DUE_TO_RELATED_TXN
    PAYMENT_SOURCE_DECLINED_BY_PROCESSOR ALIAS_DECLINED_BY_PROCESSOR AUTHORIZATION_DENIED`,
  ),
  ...all(
    'refused_transaction',
    `COMPLIANCE_VIOLATION PAYEE_BLOCKED_TRANSACTION TRANSACTION_BLOCKED_BY_PAYEE
    MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED`,
  ),
  ...all(
    'canceled_payment_method',
    `PAYER_ACCOUNT_LOCKED_OR_CLOSED PAYER_ACCOUNT_RESTRICTED
    AGREEMENT_ALREADY_CANCELLED TOKEN_EXPIRED PAYPAL_TRANSACTION_ID_EXPIRED PNREF_EXPIRED`,
  ),
  ...all('expired_payment_method', 'CARD_EXPIRED REFERENCED_CARD_EXPIRED'),
  ...all('incorrect_expiry_date', 'INVALID_EXPIRY_DATE CARD_EXPIRY_REQUIRED'),
  ...all('incorrect_cvv', 'INVALID_SECURITY_CODE_LENGTH'),
  ...all('incorrect_billing_address', 'BILLING_ADDRESS_INVALID'),
  ...all(
    'invalid_shipping_address',
    `SHIPPING_ADDRESS_INVALID CITY_REQUIRED POSTAL_CODE_REQUIRED
    MISSING_PICKUP_ADDRESS INVALID_PICKUP_ADDRESS`,
  ),
  ...all(
    'invalid_payment_method',
    `PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED CARD_NUMBER_REQUIRED
    PAYMENT_SOURCE_CANNOT_BE_USED INVALID_PAYER_ID INVALID_IBAN INVALID_GOOGLE_PAY_TOKEN CRYPTOGRAM_REQUIRED
    MISSING_CRYPTOGRAM EMV_DATA_REQUIRED NO_PAYMENT_SOURCE_PROVIDED SETUP_TOKEN_ALREADY_USED`,
  ),
  ...all(
    'unknown_payment_method',
    `TOKEN_ID_NOT_FOUND BILLING_AGREEMENT_NOT_FOUND PAYPAL_TRANSACTION_ID_NOT_FOUND
    PNREF_NOT_FOUND IDENTIFIER_NOT_FOUND MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE`,
  ),
  ...all(
    'unsupported_payment_method',
    `CARD_TYPE_NOT_SUPPORTED CARD_BRAND_NOT_SUPPORTED PAYMENT_SOURCE_NOT_SUPPORTED
    UNSUPPORTED_INTENT_FOR_PAYMENT_SOURCE PAYMENT_TYPE_NOT_SUPPORTED_FOR_INTENT BANK_NOT_SUPPORTED_FOR_VERIFICATION
    ITEM_CATEGORY_NOT_SUPPORTED_BY_PAYMENT_SOURCE`,
  ),
  ...all(
    'unsupported_country',
    `COUNTRY_NOT_SUPPORTED_BY_PAYMENT_SOURCE DOMESTIC_TRANSACTION_REQUIRED
    IBAN_COUNTRY_NOT_SUPPORTED PAYEE_COUNTRY_NOT_SUPPORTED_FOR_PAYMENT_SOURCE`,
  ),
  ...all(
    'unsupported_currency',
    `INVALID_CURRENCY_CODE CURRENCY_NOT_SUPPORTED_FOR_BANK
    CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE CURRENCY_NOT_SUPPORTED_FOR_COUNTRY`,
  ),
  ...all(
    'incorrect_currency',
    `AUTH_CAPTURE_CURRENCY_MISMATCH AUTH_CURRENCY_MISMATCH
    AUTHORIZATION_CURRENCY_MISMATCH CURRENCY_MISMATCH REFUND_CAPTURE_CURRENCY_MISMATCH MULTI_CURRENCY_ORDER`,
  ),
  ...all(
    'invalid_amount',
    `AMOUNT_MISMATCH AMOUNT_CHANGE_NOT_ALLOWED AMOUNT_CANNOT_BE_SPECIFIED CANNOT_BE_NEGATIVE
    CANNOT_BE_ZERO_OR_NEGATIVE DECIMAL_PRECISION DECIMALS_NOT_SUPPORTED MAX_VALUE_EXCEEDED TRANSACTION_LIMIT_EXCEEDED
    TRANSACTION_RECEIVING_LIMIT_EXCEEDED MAX_CAPTURE_AMOUNT_EXCEEDED AUTHORIZATION_AMOUNT_EXCEEDED
    REFUND_AMOUNT_EXCEEDED REFUND_AMOUNT_TOO_LOW PARTIAL_REFUND_NOT_ALLOWED APPLE_PAY_AMOUNT_MISMATCH`,
  ),
  ...all('expired_authorization', 'AUTHORIZATION_EXPIRED'),
  ...all(
    'unexpected_state',
    `AUTHORIZATION_ALREADY_CAPTURED AUTHORIZATION_VOIDED PREVIOUSLY_CAPTURED PREVIOUSLY_VOIDED
    CANNOT_BE_VOIDED PENDING_CAPTURE ACTION_DOES_NOT_MATCH_INTENT CAPTURE_STATUS_NOT_VALID
    PREVIOUS_TRANSACTION_REFERENCE_VOIDED PAYMENT_ALREADY_APPROVED ORDER_COMPLETE_ON_PAYMENT_APPROVAL`,
  ),
  ...all('refund_already_satisfied', 'CAPTURE_FULLY_REFUNDED'),
  ...all('refund_period_expired', 'REFUND_TIME_LIMIT_EXCEEDED'),
  ...all(
    'disputed_transaction',
    `TRANSACTION_DISPUTED REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK
    PREVIOUS_TRANSACTION_REFERENCE_HAS_CHARGEBACK`,
  ),
  ...all('insufficient_funds', 'REFUND_FAILED_INSUFFICIENT_FUNDS'),
  ...all(
    'unsupported_transaction',
    `REFUND_NOT_ALLOWED REFUND_IS_RESTRICTED MAX_NUMBER_OF_REFUNDS_EXCEEDED
    MAX_CAPTURE_COUNT_EXCEEDED MAX_AUTHORIZATION_COUNT_EXCEEDED REAUTHORIZATION_NOT_SUPPORTED
    DONATION_ITEMS_NOT_SUPPORTED SAVE_ORDER_NOT_SUPPORTED ORDER_CANNOT_BE_SAVED NOT_SUPPORTED`,
  ),
  ...all('duplicate_transaction', 'DUPLICATE_INVOICE_ID DUPLICATE_REFERENCE_ID'),
  ...all(
    'unknown_service_resource',
    `INVALID_RESOURCE_ID CAPTURE_ID_NOT_FOUND TRACKER_ID_NOT_FOUND
    REFERENCE_ID_NOT_FOUND`,
  ),
  ...all(
    'insufficient_service_permissions',
    `PERMISSION_DENIED PERMISSION_DENIED_FOR_DONATION_ITEMS CONSENT_NEEDED
    NOT_ENABLED_FOR_CARD_PROCESSING PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE
    NOT_ENABLED_FOR_APPLE_PAY NOT_ENABLED_FOR_GOOGLE_PAY NOT_ENABLED_FOR_BANK_PROCESSING
    PAYEE_NOT_ENABLED_FOR_BANK_PROCESSING NOT_ELIGIBLE_FOR_TOKEN_PROCESSING AUTH_CAPTURE_NOT_ENABLED
    NOT_ELIGIBLE_FOR_PAYPAL_TRANSACTION_ID_PROCESSING NOT_ELIGIBLE_FOR_PNREF_PROCESSING PLATFORM_FEE_NOT_ENABLED
    PAYEE_PRICING_TIER_ID_NOT_ENABLED SHIPPING_TYPE_NOT_SUPPORTED_FOR_CLIENT MSP_NOT_SUPPORTED`,
  ),
  ...all(
    'invalid_service_configuration',
    `PAYEE_ACCOUNT_INVALID PAYEE_ACCOUNT_LOCKED_OR_CLOSED PAYEE_ACCOUNT_RESTRICTED
    PAYEE_ACCOUNT_NOT_VERIFIED INVALID_ACCOUNT_STATUS SETUP_ERROR_FOR_BANK GOOGLE_PAY_GATEWAY_MERCHANT_ID_MISMATCH
    INVALID_PLATFORM_FEES_ACCOUNT INVALID_PLATFORM_FEES_AMOUNT INVALID_PAYEE_PRICING_TIER_ID PLATFORM_FEE_EXCEEDED
    PLATFORM_FEES_NOT_SUPPORTED PLATFORM_FEE_PAYEE_CANNOT_BE_SAME_AS_PAYER INVALID_FX_RATE_ID PAYEE_FX_RATE_ID_EXPIRED
    PAYEE_FX_RATE_ID_CURRENCY_MISMATCH`,
  ),
  ...all(
    'invalid_request_parameters',
    `MERCHANT_INITIATED_WITH_AUTHENTICATION_RESULTS
    MERCHANT_INITIATED_WITH_MULTIPLE_PURCHASE_UNITS MERCHANT_INITIATED_WITH_SECURITY_CODE
    INVALID_PREVIOUS_TRANSACTION_REFERENCE MISSING_PREVIOUS_REFERENCE INVALID_COUNTRY_CODE
    REQUIRED_PARAMETER_FOR_CUSTOMER_INITIATED_PAYMENT ITEM_TOTAL_MISMATCH ITEM_TOTAL_REQUIRED TAX_TOTAL_MISMATCH
    TAX_TOTAL_REQUIRED ITEM_SKU_MISMATCH MULTIPLE_ITEM_CATEGORIES RETURN_URL_REQUIRED CANCEL_URL_REQUIRED
    MULTIPLE_SHIPPING_ADDRESS_NOT_SUPPORTED MULTIPLE_SHIPPING_OPTION_SELECTED MULTIPLE_SHIPPING_TYPE_NOT_SUPPORTED
    PREFERRED_SHIPPING_OPTION_AMOUNT_MISMATCH SHIPPING_OPTION_NOT_SELECTED SHIPPING_OPTIONS_NOT_SUPPORTED
    UNSUPPORTED_SHIPPING_TYPE`,
  ),
  ...all(
    'invalid_service_request',
    `INVALID_ARRAY_MAX_ITEMS INVALID_ARRAY_MIN_ITEMS INVALID_PARAMETER
    INVALID_PARAMETER_SYNTAX INVALID_PARAMETER_VALUE INVALID_STRING_LENGTH INVALID_STRING_MAX_LENGTH
    MALFORMED_REQUEST_JSON MISSING_REQUIRED_PARAMETER PAYPAL_REQUEST_ID_REQUIRED AMOUNT_NOT_PATCHABLE
    FIELD_NOT_PATCHABLE INVALID_PATCH_OPERATION NOT_PATCHABLE PATCH_PATH_REQUIRED PATCH_VALUE_REQUIRED
    UNSUPPORTED_PATCH_PARAMETER_VALUE INVALID_JSON_POINTER_FORMAT REFERENCE_ID_REQUIRED INCOMPATIBLE_PARAMETER_VALUE
    ONE_OF_PARAMETERS_REQUIRED ONE_OF_THE_PARAMETERS_REQUIRED ONLY_ONE_BANK_SOURCE_ALLOWED
    ONLY_ONE_PAYMENT_SOURCE_ALLOWED PAYMENT_SOURCE_MISMATCH PREFERRED_PAYMENT_SOURCE_MISMATCH
    BILLING_AGREEMENT_ID_MISMATCH REQUIRED_PARAMETER_FOR_PAYMENT_SOURCE UNSUPPORTED_INTENT
    UNSUPPORTED_PAYMENT_INSTRUCTION UNSUPPORTED_PROCESSING_INSTRUCTION VAULT_INSTRUCTION_DUPLICATED
    VAULT_INSTRUCTION_REQUIRED DEVICE_DATA_NOT_AVAILABLE BLIK_ONE_CLICK_MISSING_REQUIRED_PARAMETER`,
  ),
}

/** `response_code` of a card payment that was declined. Codes of approvals are here for completeness. */
const processorCodes: Readonly<Record<string, ErrorCode | 'approved'>> = {
  ...all('approved', '0000 1000 7600'),
  ...all(
    'issuer_decline',
    `0100 0500 0580 0880 0890 0R00 10BR 1312 1384 1393 5100 5130 5135 5160 5210 5500 5700 5800 5900
    5910 5920 5930 7900 9100 9600 PPAR PPDI PPSD PPSE`,
  ),
  ...all('insufficient_funds', '5120 PPAX'),
  ...all('expired_payment_method', '5400 PPEF'),
  ...all('incorrect_expiry_date', '1380 PPEX'),
  ...all('incorrect_cvv', '00N7 1382 5110 PCVV PPC2'),
  ...all('incorrect_billing_address', '5170 5190 PPAD PPAV'),
  ...all('canceled_payment_method', '1352 5140 5150 5180 5950 9520 9540 PP06 PPAB PPFR PPTE PPTR'),
  ...all('invalid_payment_method', '0390 1330 1335 6300 7800 PPFI PPIM PPPM PPTV'),
  ...all('suspected_fraud', '9500 9510 9530 PPSC'),
  ...all('refused_transaction', '5710 PPEL PPNL PPRN PPDT'),
  ...all('requires_buyer_authentication', '5650 7700 7710 PPD3'),
  ...all('duplicate_transaction', '5200 PPIF PPFE'),
  ...all('invalid_amount', '1310 PPAI PPS6'),
  ...all('unsupported_currency', '1320 PPCU PPUC PPVC'),
  ...all('incorrect_currency', 'PPS4'),
  ...all('unsupported_country', 'PPCO'),
  ...all('unsupported_payment_method', 'PPAE PPCT PPMC PPNC'),
  ...all('unsupported_transaction', `8030 PPAG PPBG PPGR PPDC PPPH PPQC PPRE PPTT PPUE PPUI PPUP PPUR PPVT`),
  ...all('unexpected_state', '1390 PPRF PPS0 PPS1 PPS2 PPS5 PPLR'),
  ...all('expired_authorization', 'PPS3'),
  ...all('invalid_service_configuration', `1340 1350 1370 8010 8020 PPAU PPCE PPMD PPNM PPPI PPRR PPUA PPMB`),
  ...all('invalid_service_request', '1300 1317 1360 PPFV PPII PPIT PPTF PPTI PPVE'),
  ...all('service_decline', '0800 0960 8000 8100 8110 8220 PCNR PPCR PPDV PPER PPH1 PPLS PPNT'),
}

const avs: Readonly<Record<string, AvsResponseCode>> = {
  ...all('match', 'D F M X Y 0'),
  ...all('no_match', 'C N 1'),
  ...all('partial_match_address', 'A B 2'),
  ...all('partial_match_postcode', 'P W Z'),
  ...all('unavailable', 'E G I R S U Null 3 4'),
}

const cvv: Readonly<Record<string, CvvResponseCode>> = {
  ...all('match', 'M 0'),
  ...all('no_match', 'N 1'),
  ...all('not_provided', '2 3'),
  ...all('unavailable', 'E I P S U X 4'),
  'All others': 'unavailable',
}

/** Advice codes after which the same card must not be tried again. */
const finalAdviceCodes: readonly string[] = ['03', '21']

/**
 * 3-D Secure: enrollment, authentication and liability shift, as PayPal recommends.
 * https://developer.paypal.com/docs/checkout/advanced/customize/3d-secure/response-parameters/
 */
const threeDSecure: Readonly<Record<string, 'charge' | 'stop'>> = {
  ...all('charge', 'Y/Y/POSSIBLE Y/Y/YES Y/A/POSSIBLE N/-/NO U/-/NO B/-/NO'),
  ...all('stop', 'Y/N/NO Y/R/NO Y/U/UNKNOWN Y/U/NO Y/C/UNKNOWN Y/-/NO U/-/UNKNOWN -/-/UNKNOWN'),
}

/** The indicator of a network token's authentication, in PayPal's words. 00 to 02 are Mastercard's. */
const eciFlags = {
  '00': 'MASTERCARD_NON_3D_SECURE_TRANSACTION',
  '01': 'MASTERCARD_ATTEMPTED_AUTHENTICATION_TRANSACTION',
  '02': 'MASTERCARD_FULLY_AUTHENTICATED_TRANSACTION',
  '05': 'FULLY_AUTHENTICATED_TRANSACTION',
  '06': 'ATTEMPTED_AUTHENTICATION_TRANSACTION',
  '07': 'NON_3D_SECURE_TRANSACTION',
} as const

/** What the end of a dispute means for the seller's money. */
const disputeOutcomes: Readonly<Record<string, 'taken' | 'returned' | 'nothing'>> = {
  RESOLVED_BUYER_FAVOUR: 'taken',
  ACCEPTED: 'taken',
  RESOLVED_SELLER_FAVOUR: 'returned',
  RESOLVED_WITH_PAYOUT: 'returned',
  CANCELED_BY_BUYER: 'returned',
  DENIED: 'returned',
  NONE: 'nothing',
}

/** `dispute_life_cycle_stage` of a dispute that is not over. */
const disputeStages: Readonly<Record<string, DisputeStage>> = {
  INQUIRY: 'inquiry',
  CHARGEBACK: 'chargeback',
  PRE_ARBITRATION: 'arbitration',
  ARBITRATION: 'arbitration',
}

/** The events that we subscribe to. */
const events: Readonly<Record<string, string>> = {
  'CHECKOUT.ORDER.APPROVED': 'the buyer has approved: the server completes the payment',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': 'the order was not completed in time: the payment fails',
  'PAYMENT.AUTHORIZATION.CREATED': 'the outcome of an authorization',
  'PAYMENT.AUTHORIZATION.VOIDED':
    'the outcome of a void, or an authorization that was pending and is refused',
  'PAYMENT.CAPTURE.COMPLETED': 'the outcome of a capture, or of a payment in one step',
  'PAYMENT.CAPTURE.PENDING': 'the outcome of a capture, or of a payment in one step',
  'PAYMENT.CAPTURE.DECLINED': 'the outcome of a capture, or of a payment in one step',
  'PAYMENT.CAPTURE.DENIED': 'the outcome of a capture, or of a payment in one step',
  'PAYMENT.CAPTURE.REFUNDED': 'the outcome of a refund',
  'PAYMENT.CAPTURE.REVERSED': 'a chargeback, unless a dispute is the reason, which tells it itself',
  'PAYMENT.REFUND.PENDING': 'the outcome of a refund',
  'PAYMENT.REFUND.FAILED': 'the outcome of a refund, also after PayPal had completed it',
  'CUSTOMER.DISPUTE.CREATED': 'a step of a dispute, and a chargeback once it is more than an inquiry',
  'CUSTOMER.DISPUTE.UPDATED': 'a step of a dispute, and a chargeback once it is more than an inquiry',
  'CUSTOMER.DISPUTE.RESOLVED': 'the end of a dispute, with a chargeback or its reversal',
}

/**
 * Transaction event codes of movements that belong to payments: a whole group, or one code. All others are no payments: fees,
 * withdrawals, conversions, holds. https://developer.paypal.com/docs/transaction-search/transaction-event-codes/
 */
const reportCodes: Readonly<Record<string, ReportLineKind>> = {
  T00: 'settlement',
  T1106: 'chargeback',
  T1107: 'refund_settlement',
  T1201: 'chargeback',
  T1202: 'chargeback_reversal',
}

export const MAPPING = {
  issues,
  processorCodes,
  avs,
  cvv,
  finalAdviceCodes,
  threeDSecure,
  eciFlags,
  disputeOutcomes,
  disputeStages,
  events,
  reportCodes,
} as const
