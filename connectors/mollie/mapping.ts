import type { ErrorCode } from '#connectors/contract/codes.ts'

/** What the status of a payment means for its authorization. */
export const PAYMENT_STATUSES = {
  open: 'approval_required',
  pending: 'pending',
  authorized: 'authorized',
  paid: 'approved',
  canceled: 'cancelled_buyer_approval',
  expired: 'cancelled_buyer_approval',
  failed: 'failed',
} as const

/** Why a payment has failed, by `details.failureReason`. */
export const FAILURES: Readonly<Record<string, ErrorCode>> = {
  authentication_abandoned: 'cancelled_buyer_approval',
  authentication_failed: 'requires_buyer_authentication',
  authentication_required: 'requires_buyer_authentication',
  authentication_unavailable_acs: 'service_error',
  card_declined: 'issuer_decline',
  card_expired: 'expired_payment_method',
  inactive_card: 'canceled_payment_method',
  insufficient_funds: 'insufficient_funds',
  invalid_card_holder_name: 'invalid_payment_method',
  invalid_card_number: 'invalid_payment_method',
  invalid_card_type: 'unsupported_payment_method',
  invalid_cvv: 'incorrect_cvv',
  possible_fraud: 'suspected_fraud',
  refused_by_issuer: 'issuer_decline',
  unknown_reason: 'other_decline',
}

type Stage = ErrorCode | 'done' | 'waiting'

/** `done`, `waiting`, or why it is not done. */
export const CAPTURE_STATUSES: Readonly<Record<string, Stage>> = {
  pending: 'waiting',
  succeeded: 'done',
  failed: 'service_error',
}

export const REFUND_STATUSES: Readonly<Record<string, Stage>> = {
  queued: 'waiting',
  pending: 'waiting',
  processing: 'waiting',
  refunded: 'done',
  failed: 'service_error',
  canceled: 'service_error',
}

/** The field of the request that Mollie does not take, or what it begins with. */
export const FIELDS: Readonly<Record<string, ErrorCode>> = {
  'amount.currency': 'unsupported_currency',
  amount: 'invalid_amount',
  billingAddress: 'invalid_billing_address',
  method: 'unsupported_payment_method',
  shippingAddress: 'invalid_shipping_address',
  webhookUrl: 'invalid_service_configuration',
}
