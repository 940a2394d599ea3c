import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { AvsResponseCode, DisputeStage } from '#connectors/contract/connector.ts'
import { CURRENCY_RULES } from './currency.ts'

/**
 * `unknown`: the answer does not say that nothing happened. All other codes mean that no money moved.
 * Lists of Stripe's names are sorted by our codes, so that a change shows what merchants will see.
 */
type Meaning = ErrorCode | 'unknown'

/** The bank's or Stripe's reason for a decline. Source: https://docs.stripe.com/declines/codes */
const DECLINE_CODES = byName({
  issuer_decline:
    'approve_with_id call_issuer do_not_honor generic_decline no_action_taken try_again_later reenter_transaction ' +
    'new_account_information_available issuer_not_available not_permitted service_not_allowed ' +
    'transaction_not_allowed incorrect_pin invalid_pin offline_pin_required online_or_offline_pin_required ' +
    'pin_try_exceeded',
  service_decline:
    'processing_error partner_processing_error partner_generic_decline partner_action_not_supported ' +
    'partner_payment_not_found invalid_track_data',
  insufficient_funds:
    'insufficient_funds card_velocity_exceeded withdrawal_count_limit_exceeded partner_insufficient_funds ' +
    'payment_limit_exceeded',
  expired_payment_method: 'expired_card partner_expired_card expired_payment_information',
  incorrect_cvv: 'incorrect_cvc invalid_cvc',
  incorrect_billing_address: 'incorrect_zip incorrect_address',
  incorrect_expiry_date: 'invalid_expiry_month invalid_expiry_year',
  invalid_payment_method:
    'incorrect_number invalid_number invalid_account card_not_supported invalid_customer_account ' +
    'invalid_payment_information invalid_billing_agreement card_already_activated',
  canceled_payment_method: 'lost_card stolen_card pickup_card restricted_card lost_or_stolen_card',
  suspected_fraud:
    'fraudulent merchant_blacklist security_violation highest_risk_level partner_high_risk_customer ' +
    'compliance_violation',
  requires_buyer_authentication: 'authentication_required mobile_device_authentication_required',
  incorrect_currency: 'currency_not_supported partner_invalid_currency',
  duplicate_transaction: 'duplicate_transaction partner_duplicate_transaction',
  invalid_amount: 'invalid_amount partner_invalid_amount',
  refused_transaction:
    'do_not_try_again revocation_of_authorization revocation_of_all_authorizations stop_payment_order ' +
    'previously_declined_do_not_retry invalid_authorization',
  disputed_transaction: 'payment_disputed',
  unsupported_transaction: 'recurring_not_supported_by_bank',
  invalid_service_configuration: 'testmode_decline invalid_business_account',
})

/** Another provider would ask the same bank, and get the same answer. */
const FINAL_DECLINE_CODES: readonly string[] = [
  'not_permitted',
  'service_not_allowed',
  'transaction_not_allowed',
  'incorrect_number',
  'invalid_number',
  'invalid_account',
]

/** `error.code`. Source: https://docs.stripe.com/error-codes, and the union of the official types. */
const CODES = byName({
  canceled_payment_method: 'account_closed',
  refused_transaction:
    'debit_not_authorized india_recurring_payment_mandate_canceled payment_intent_mandate_invalid ' +
    'setup_intent_mandate_invalid refer_to_customer',
  insufficient_funds: 'insufficient_funds',
  expired_payment_method: 'expired_card expired_payment_method',
  incorrect_cvv: 'incorrect_cvc invalid_cvc',
  incorrect_billing_address: 'incorrect_address incorrect_zip incorrect_postal_code postal_code_invalid',
  incorrect_expiry_date: 'invalid_expiry_month invalid_expiry_year',
  invalid_payment_method:
    'incorrect_number invalid_number account_invalid account_number_invalid no_account routing_number_invalid ' +
    'bank_account_bad_routing_numbers bank_account_unusable bank_account_unverified ' +
    'bank_account_verification_failed sepa_unsupported_account token_already_used token_in_use ' +
    'token_card_network_invalid payment_method_bank_account_already_verified ' +
    'account_information_mismatch bank_account_exists',
  unavailable_payment_method:
    'payment_method_not_available payment_method_unactivated payment_method_provider_timeout ' +
    'financial_connections_account_inactive financial_connections_account_pending_account_numbers ' +
    'financial_connections_account_unavailable_account_numbers ' +
    'financial_connections_no_successful_transaction_refresh',
  unsupported_payment_method:
    'payment_method_unsupported_type payment_intent_incompatible_payment_method invalid_card_type ' +
    'invalid_source_usage setup_intent_mobile_wallet_unsupported',
  issuer_decline:
    'card_declined bank_account_declined bank_account_restricted payment_method_bank_account_blocked',
  service_decline:
    'processing_error payment_intent_payment_attempt_failed payment_method_provider_decline ' +
    'payment_method_restricted setup_attempt_failed payment_method_unexpected_state payment_method_microdeposit_failed ' +
    'payment_method_microdeposit_processing_error',
  cancelled_buyer_approval:
    'payment_method_customer_decline payment_intent_payment_attempt_expired setup_intent_setup_attempt_expired ' +
    'payment_intent_konbini_rejected_confirmation_number acss_debit_session_incomplete ' +
    'customer_session_expired payment_method_microdeposit_verification_amounts_invalid ' +
    'payment_method_microdeposit_verification_amounts_mismatch ' +
    'payment_method_microdeposit_verification_attempts_exceeded ' +
    'payment_method_microdeposit_verification_descriptor_code_mismatch ' +
    'payment_method_microdeposit_verification_timeout',
  requires_buyer_authentication:
    'authentication_required authentication_failure payment_intent_authentication_failure ' +
    'setup_intent_authentication_failure payment_intent_action_required invoice_payment_intent_requires_action ' +
    'approval_required three_d_secure_authentication_not_supported',
  suspected_fraud: 'action_blocked request_blocked anomalous_money_movement_request',
  invalid_amount:
    'amount_too_large amount_too_small invalid_charge_amount charge_exceeds_source_limit ' +
    'charge_exceeds_transaction_limit',
  unsupported_currency:
    'payment_method_currency_mismatch financial_account_balance_does_not_support_currency ' +
    'instant_payouts_currency_disabled',
  unsupported_country:
    'country_unsupported state_unsupported terminal_location_country_unsupported country_code_invalid',
  missing_billing_address: 'payment_method_billing_details_address_missing cardholder_phone_number_required',
  invalid_shipping_address: 'shipping_address_invalid shipping_calculation_failed',
  invalid_tax_identifier: 'tax_id_invalid tax_id_prohibited siret_invalid',
  service_rate_limit:
    'rate_limit lock_timeout card_decline_rate_limit_exceeded payment_intent_rate_limit_exceeded ' +
    'progressive_onboarding_limit_exceeded',
  invalid_service_credentials:
    'api_key_expired platform_api_key_expired secret_key_required livemode_mismatch',
  insufficient_service_permissions:
    'capability_not_active not_allowed_on_standard_account application_fees_not_allowed platform_account_required ' +
    'financial_account_capability_not_enabled financial_account_capability_restricted storer_capability_missing ' +
    'storer_capability_not_active payouts_not_allowed transfers_not_allowed forwarding_api_inactive ' +
    'smart_disputes_not_available',
  invalid_service_configuration:
    'testmode_charges_only payment_method_configuration_failures payment_method_invalid_parameter_testmode ' +
    'tls_version_unsupported alipay_upgrade_required bitcoin_upgrade_required stripe_tax_inactive ' +
    'instant_payouts_config_disabled account_error_country_change_requires_additional_steps ' +
    'account_country_invalid_address account_token_required_for_v2_account ' +
    'payment_evaluation_on_api_version_not_supported ownership_declaration_not_allowed',
  unknown_service_resource: 'resource_missing missing',
  service_resource_conflict: 'resource_already_exists',
  refund_already_satisfied: 'charge_already_refunded',
  disputed_transaction: 'charge_disputed refund_disputed_payment',
  expired_authorization: 'charge_expired_for_capture capture_charge_authorization_expired',
  unsupported_transaction:
    'charge_not_refundable billing_invalid_mandate invalid_mandate_reference_prefix_format',
  unexpected_state:
    'payment_intent_unexpected_state setup_intent_unexpected_state charge_already_captured intent_invalid_state ' +
    'capture_unauthorized_payment status_transition_invalid return_intent_already_processed ' +
    'intent_verification_method_missing',
  // A balance that does not cover a refund: Stripe says so before it does anything.
  service_error:
    'balance_insufficient three_d_secure_authentication_upstream_error failed_tax_calculation taxes_calculation_failed',
  invalid_service_request:
    'parameter_invalid_empty parameter_invalid_integer parameter_invalid_string_blank parameter_invalid_string_empty ' +
    'parameter_missing parameter_unknown parameters_exclusive payment_intent_invalid_parameter ' +
    'payment_method_invalid_parameter setup_intent_invalid_parameter charge_invalid_parameter ' +
    'balance_invalid_parameter invalid_characters email_invalid url_invalid clearing_code_unsupported ' +
    'forwarding_api_invalid_parameter',
  // These belong to other products of Stripe. A payment that gets one was sent to the wrong address.
  invalid_operation:
    'coupon_expired customer_max_payment_methods customer_max_subscriptions customer_tax_location_invalid ' +
    'dispute_evidence_page_limit_exceeded financial_connections_consent_locale_invalid ' +
    'financial_connections_consent_locale_unsupported forwarding_api_retryable_upstream_error ' +
    'forwarding_api_upstream_connection_error forwarding_api_upstream_connection_timeout ' +
    'forwarding_api_upstream_error instant_payouts_limit_exceeded instant_payouts_unsupported ' +
    'invalid_canceled_subscription_fields invalid_tax_location invoice_no_customer_line_items ' +
    'invoice_no_payment_method_types invoice_no_subscription_line_items invoice_not_editable ' +
    'invoice_on_behalf_of_not_editable invoice_upcoming_none out_of_inventory payout_reconciliation_not_ready ' +
    'payouts_limit_exceeded product_inactive service_period_coupon_with_metered_tiered_item_unsupported sku_inactive ' +
    'subscription_update_trial_after_billing_cycle_anchor terminal_reader_busy terminal_reader_hardware_fault ' +
    'terminal_reader_invalid_location_for_activation terminal_reader_invalid_location_for_payment ' +
    'terminal_reader_offline terminal_reader_timeout transfer_source_balance_parameters_mismatch',
  // The first request with this key may have done it.
  unknown: 'idempotency_key_in_use',
})

/** Errors without a code, or with one that is not listed, by their HTTP status. Others are `unknown`. */
const HTTP_STATUSES: Readonly<Record<string, Meaning>> = {
  400: 'invalid_service_request',
  401: 'invalid_service_credentials',
  402: 'service_decline',
  403: 'insufficient_service_permissions',
  404: 'unknown_service_resource',
  429: 'service_rate_limit',
}

/** `status` of a payment intent. `requires_payment_method` is a refusal only with a reason. */
const INTENT_STATUSES = {
  requires_capture: 'approved',
  succeeded: 'approved',
  processing: 'pending',
  requires_action: 'approval_required',
  requires_payment_method: 'refused',
  canceled: 'refused',
  requires_confirmation: 'unknown',
} as const

/** `status` of a refund. */
const REFUND_STATUSES = {
  succeeded: 'approved',
  pending: 'pending',
  requires_action: 'pending',
  failed: 'refused',
  canceled: 'refused',
} as const

/** `failure_reason` of a refund. Source: https://docs.stripe.com/api/refunds/object */
const REFUND_FAILURES = byName({
  canceled_payment_method: 'lost_or_stolen_card',
  expired_payment_method: 'expired_or_canceled_card',
  disputed_transaction: 'charge_for_pending_refund_disputed',
  insufficient_funds: 'insufficient_funds',
  refused_transaction: 'declined',
  cancelled_buyer_approval: 'merchant_request',
  unknown_error: 'unknown',
})

/** What the bank says about the address: line 1 and postal code, each `pass`, `fail` or something else. */
const AVS: Readonly<Record<string, AvsResponseCode>> = {
  'pass pass': 'match',
  'fail fail': 'no_match',
  'pass fail': 'partial_match_address',
  'pass other': 'partial_match_address',
  'fail pass': 'partial_match_postcode',
  'other pass': 'partial_match_postcode',
  'fail other': 'no_match',
  'other fail': 'no_match',
  'other other': 'unavailable',
}

/** `checks.cvc_check`. Null if no security code was sent: `not_provided`. */
const CVV = { pass: 'match', fail: 'no_match', unavailable: 'unavailable', unchecked: 'unavailable' } as const

/** All tables, for the documentation and for the tests. */
/**
 * `status` of a dispute. `warning` is an inquiry, and `appeal` what follows a lost one. A prevented dispute was refunded by a
 * rule of the merchant, before it began. Source: the union of the official types.
 */
const DISPUTE_STAGES: Readonly<Record<string, DisputeStage | null>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'chargeback',
  under_review: 'chargeback',
  appeal_needs_response: 'arbitration',
  appeal_under_review: 'arbitration',
  won: 'won',
  lost: 'lost',
  prevented: null,
}

export const MAPPING = {
  declineCodes: DECLINE_CODES,
  finalDeclineCodes: FINAL_DECLINE_CODES,
  codes: CODES,
  httpStatuses: HTTP_STATUSES,
  intentStatuses: INTENT_STATUSES,
  refundStatuses: REFUND_STATUSES,
  refundFailures: REFUND_FAILURES,
  disputeStages: DISPUTE_STAGES,
  avs: AVS,
  cvv: CVV,
  currencies: CURRENCY_RULES,
} as const

function byName(names: Partial<Record<Meaning, string>>): Readonly<Record<string, Meaning>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([meaning, list]) =>
      list.split(' ').map((name) => [name, meaning as Meaning] as const),
    ),
  )
}
