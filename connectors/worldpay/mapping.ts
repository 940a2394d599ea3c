import type { ErrorCode } from '#connectors/contract/codes.ts'

/** Worldpay's words in ours, as data: docs/connectors/worldpay-codes.md shows these tables. */

function spread(table: Readonly<Partial<Record<ErrorCode, string>>>): Readonly<Record<string, ErrorCode>> {
  const rows = Object.entries(table) as [ErrorCode, string][]
  return Object.fromEntries(
    rows.flatMap(([meaning, codes]) => codes.split(' ').map((code) => [code, meaning])),
  )
}

/** `refusalCode`: developer.worldpay.com/products/reference/refusal-response. Without zeros before it. */
export const REFUSALS = spread({
  issuer_decline: '1 2 5 6 8 85',
  canceled_payment_method: '4 7 41 43 46 76 83',
  refused_transaction: '12 57 62 63',
  invalid_amount: '13',
  invalid_payment_method: '14 15 56',
  cancelled_buyer_approval: '17',
  service_decline: '3 20 25 28 29 30 91 96',
  expired_payment_method: '33 54',
  suspected_fraud: '34 59',
  incorrect_cvv: '38 55 75',
  unavailable_payment_method: '39 52 53',
  insufficient_funds: '51 61',
  unsupported_transaction: '58',
  requires_buyer_authentication: '65',
})

/** `errorName` of a request that was refused, or of an authorization that failed. Others are an invalid request. */
export const ERRORS = spread({
  invalid_service_configuration: 'entityIsNotConfigured',
  insufficient_service_permissions: 'channelIsNotSupported nptConfigurationError accessDenied',
  unsupported_currency: 'currencyIsNotSupported',
  unsupported_payment_method: 'paymentInstrumentIsNotSupported',
  invalid_payment_method: 'cardNumberIsNotRecognized panFailedLuhnCheck',
  expired_payment_method: 'underlyingPaymentInstrumentHasExpired',
  service_error: 'internalErrorOccurred',
})

/** The reference of the request was used before. So nothing new was done, and the first request can be found. */
export const DUPLICATES: readonly string[] = [
  'transactionReferenceIsADuplicate',
  'transactionHasAlreadyBeenProcessed',
  'transactionStageHasAlreadyBeenProcessed',
]

export type Stage = 'requested' | 'done' | 'refused' | 'failed' | 'unclear'

/** What an event of a payment says about the request that it belongs to. */
export const EVENTS: Readonly<Record<string, Stage>> = {
  authorizationRequested: 'requested',
  authorizationSucceeded: 'done',
  authorizationRefused: 'refused',
  authorizationFailed: 'failed',
  authorizationTimedOut: 'unclear',
  saleRequested: 'requested',
  saleSucceeded: 'done',
  saleRefused: 'refused',
  saleFailed: 'failed',
  saleTimedOut: 'unclear',
  settlementRequested: 'requested',
  settlementRequestSubmitted: 'done',
  settlementRequestSubmissionFailed: 'failed',
  settlementRequestSubmissionTimedOut: 'unclear',
  refundRequested: 'requested',
  refundRequestSubmitted: 'done',
  refundRequestSubmissionFailed: 'failed',
  refundRequestSubmissionTimedOut: 'unclear',
  cancellationRequested: 'requested',
  cancellationRequestSubmitted: 'done',
  cancellationRequestSubmissionFailed: 'failed',
  cancellationRequestSubmissionTimedOut: 'unclear',
}

/**
 * `outcome` of a payout. Also `requestReceived` is approved: the card takes no Fast Access, so the money goes the slower way, and no
 * better word follows. `error` is not among them: it stands for a failure as well as for a scheme that did not answer for 48 hours.
 */
export const PAYOUTS: Readonly<Record<string, 'pending' | 'approved' | 'refused'>> = {
  requested: 'pending',
  pending: 'pending',
  inReview: 'pending',
  approved: 'approved',
  disbursed: 'approved',
  requestReceived: 'approved',
  refused: 'refused',
}

/** The reason of a refusal. Some accounts get the scheme's own code, and Worldpay's beside it. */
export function codeOf(refusal: string | null): ErrorCode {
  return REFUSALS[refusal?.replace(/^0+/, '') ?? ''] ?? 'other_decline'
}
