/**
 * Every reason for refusing a payment, as merchants see it in `error_code`. Connectors translate their
 * provider's own codes into these. A retriable one may succeed at another provider.
 */
export const ERROR_CODES = {
  canceled_payment_method: decline(),
  disputed_transaction: failure(),
  duplicate_transaction: failure(),
  expired_authorization: decline(),
  expired_payment_method: decline(),
  incorrect_billing_address: decline(),
  incorrect_country: decline('retriable'),
  incorrect_currency: decline('retriable'),
  incorrect_cvv: decline(),
  incorrect_expiry_date: decline(),
  insufficient_funds: decline(),
  issuer_decline: decline('retriable'),
  other_decline: decline('retriable'),
  requires_buyer_authentication: failure(),
  refused_transaction: decline(),
  service_decline: decline('retriable'),
  suspected_fraud: decline(),
  unavailable_payment_method: failure(),
  unknown_payment_method: failure('retriable'),
  unsupported_transaction: failure(),
  unsupported_payment_method: failure(),
  cancelled_buyer_approval: failure(),
  insufficient_service_permissions: failure('retriable'),
  invalid_amount: failure('retriable'),
  invalid_payment_method: failure('retriable'),
  invalid_service_configuration: failure(),
  invalid_service_credentials: failure('retriable'),
  invalid_service_response: failure('retriable'),
  invalid_tax_identifier: failure(),
  missing_billing_address: failure('retriable'),
  missing_cvv: failure('retriable'),
  missing_shipping_address: failure('retriable'),
  missing_tax_identifier: failure('retriable'),
  refund_period_expired: failure(),
  service_error: failure('retriable'),
  service_network_error: failure('retriable'),
  service_rate_limit: failure('retriable'),
  internal_error: failure(),
  invalid_billing_address: failure(),
  invalid_operation: failure('retriable'),
  invalid_request_parameters: failure(),
  invalid_service_request: failure('retriable'),
  invalid_shipping_address: failure(),
  service_resource_conflict: failure('retriable'),
  unexpected_state: failure(),
  unknown_error: failure(),
  unknown_service_resource: failure('retriable'),
  unsupported_country: failure('retriable'),
  unsupported_currency: failure('retriable'),
  unrecognised_country: failure(),
  unrecognised_currency: failure(),
  unrecognised_payment_method: failure(),
  unrecognised_scheme: failure(),
  unsupported_scheme: failure(),
  refund_already_satisfied: failure(),
} as const satisfies Readonly<Record<string, Reason>>

export type ErrorCode = keyof typeof ERROR_CODES

type Reason = {
  /**
   * A decline: the issuer or the provider refuses this payment. A failure: the payment could not be tried as
   * requested.
   */
  readonly category: 'decline' | 'failure'
  readonly isRetriable: boolean
}

function decline(retriable?: 'retriable'): Reason {
  return { category: 'decline', isRetriable: retriable !== undefined }
}

function failure(retriable?: 'retriable'): Reason {
  return { category: 'failure', isRetriable: retriable !== undefined }
}
