import type { ErrorCode } from '#connectors/contract/codes.ts'

type Stage = ErrorCode | 'done' | 'waiting'

/** What the status of a payment means for its authorization: `done`, `waiting`, or why it is not done. */
export const PAYMENT_STATUSES: Readonly<Record<string, Stage>> = {
  pending_customer_approval: 'waiting',
  pending_submission: 'waiting',
  submitted: 'waiting',
  confirmed: 'done',
  paid_out: 'done',
  // The money went back later, which is told apart.
  charged_back: 'done',
  cancelled: 'canceled_payment_method',
  customer_approval_denied: 'cancelled_buyer_approval',
  failed: 'other_decline',
}

export const REFUND_STATUSES: Readonly<Record<string, Stage>> = {
  created: 'waiting',
  pending_submission: 'waiting',
  submitted: 'waiting',
  paid: 'done',
  cancelled: 'service_error',
  bounced: 'service_error',
  funds_returned: 'service_error',
}

/** Why a bank does not pay, by the `cause` of an event. */
export const CAUSES: Readonly<Record<string, ErrorCode>> = {
  account_blocked_for_any_financial_transaction: 'unavailable_payment_method',
  authorisation_disputed: 'disputed_transaction',
  bank_account_closed: 'canceled_payment_method',
  bank_account_transferred: 'unavailable_payment_method',
  bank_declined_payment: 'issuer_decline',
  daily_payment_limit_reached: 'refused_transaction',
  direct_debit_not_enabled: 'unsupported_payment_method',
  insufficient_funds: 'insufficient_funds',
  insufficient_payment_permissions: 'refused_transaction',
  invalid_bank_details: 'invalid_payment_method',
  mandate_cancelled: 'canceled_payment_method',
  mandate_expired: 'expired_payment_method',
  mandate_suspended_by_payer: 'unavailable_payment_method',
  payment_stopped: 'issuer_decline',
  payment_violated_mandate_parameters: 'refused_transaction',
  refer_to_payer: 'insufficient_funds',
  return_on_odfi_request: 'disputed_transaction',
}

/** By the `reason` of an error. */
export const REASONS: Readonly<Record<string, ErrorCode>> = {
  available_refund_amount_insufficient: 'refund_already_satisfied',
  bank_account_disabled: 'canceled_payment_method',
  billing_request_not_cancellable: 'unexpected_state',
  cancellation_failed: 'unexpected_state',
  direct_debit_not_enabled: 'unsupported_payment_method',
  insufficient_permissions: 'insufficient_service_permissions',
  mandate_is_inactive: 'canceled_payment_method',
  number_of_refunds_exceeded: 'refund_already_satisfied',
  record_not_found: 'unknown_service_resource',
  refund_is_unsupported: 'unsupported_transaction',
  refund_payment_invalid_state: 'unexpected_state',
}

/** The field of the request that GoCardless does not take. */
export const FIELDS: Readonly<Record<string, ErrorCode>> = {
  amount: 'invalid_amount',
  currency: 'unsupported_currency',
  scheme: 'unsupported_payment_method',
}
