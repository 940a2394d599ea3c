import type { OtherType, ShownAction } from './methods.ts'

/** The objects of Stripe's API as far as a stand-in fills them. The tests compare them with the official types. */

export type Metadata = { [name: string]: string }

export type PaymentError = {
  type: 'card_error' | 'invalid_request_error'
  code: string
  decline_code?: string
  network_decline_code?: string
  advice_code?: string
  message: string
  charge?: string
}

export type NextAction =
  | ({ type: ShownAction } & { [Type in ShownAction]?: Readonly<Record<string, unknown>> })
  | { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } }
  | { type: 'use_stripe_sdk'; use_stripe_sdk: { type: string } }
  | {
      type: 'verify_with_microdeposits'
      verify_with_microdeposits: {
        arrival_date: number
        hosted_verification_url: string
        microdeposit_type: 'descriptor_code'
      }
    }

type IntentStatus =
  | 'canceled'
  | 'processing'
  | 'requires_action'
  | 'requires_capture'
  | 'requires_confirmation'
  | 'requires_payment_method'
  | 'succeeded'

export type Intent = ReturnType<typeof newIntent>

export function newIntent(given: {
  id: string
  created: number
  amount: number
  currency: string
  capture_method: 'automatic' | 'automatic_async' | 'manual'
  payment_method_types: string[]
  metadata: Metadata
}) {
  return {
    ...given,
    object: 'payment_intent' as const,
    allowed_payment_method_types: given.payment_method_types,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null as number | null,
    cancellation_reason: null as 'abandoned' | 'duplicate' | 'fraudulent' | 'requested_by_customer' | null,
    client_secret: `${given.id}_secret_stand_in`,
    confirmation_method: 'automatic' as const,
    customer: null as string | null,
    customer_account: null,
    description: null as string | null,
    excluded_payment_method_types: null,
    last_payment_error: null as PaymentError | null,
    latest_charge: null as string | null,
    livemode: false,
    managed_payments: null,
    next_action: null as NextAction | null,
    on_behalf_of: null,
    payment_method: null as string | null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null as 'off_session' | 'on_session' | null,
    shipping: null,
    source: null,
    statement_descriptor: null as string | null,
    statement_descriptor_suffix: null as string | null,
    status: 'requires_payment_method' as IntentStatus,
    transfer_data: null,
    transfer_group: null,
  }
}

export type SetupIntent = ReturnType<typeof newSetupIntent>

export function newSetupIntent(given: {
  id: string
  created: number
  payment_method_types: string[]
  usage: string
  metadata: Metadata
}) {
  return {
    ...given,
    object: 'setup_intent' as const,
    allowed_payment_method_types: given.payment_method_types,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null as 'abandoned' | 'duplicate' | 'requested_by_customer' | null,
    client_secret: `${given.id}_secret_stand_in`,
    customer: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null as PaymentError | null,
    latest_attempt: null as string | null,
    livemode: false,
    mandate: null,
    next_action: null as NextAction | null,
    on_behalf_of: null,
    payment_method: null as string | null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    single_use_mandate: null,
    status: 'requires_payment_method' as
      | 'canceled'
      | 'processing'
      | 'requires_action'
      | 'requires_confirmation'
      | 'requires_payment_method'
      | 'succeeded',
  }
}

type Address = {
  city: string | null
  country: string | null
  line1: string | null
  line2: string | null
  postal_code: string | null
  state: string | null
}

export type BillingDetails = {
  address: Address
  email: string | null
  name: string | null
  phone: string | null
  tax_id: string | null
}

export type MethodType = 'card' | 'bacs_debit' | 'sepa_debit' | 'us_bank_account' | OtherType

export type PaymentMethod = {
  id: string
  object: 'payment_method'
  billing_details: BillingDetails
  created: number
  customer: string | null
  customer_account: null
  livemode: boolean
  metadata: Metadata
  type: MethodType
  allow_redisplay: 'unspecified'
  [type: string]: unknown
}

export type ChargeOutcome = {
  advice_code: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later' | null
  network_advice_code: string | null
  network_decline_code: string | null
  network_status: string
  reason: string | null
  risk_level: string
  risk_score: number
  seller_message: string
  type: string
}

export type Charge = ReturnType<typeof newCharge>

export function newCharge(given: {
  id: string
  created: number
  amount: number
  currency: string
  payment_intent: string
  payment_method: string
  billing_details: BillingDetails
  payment_method_details: { type: string; [type: string]: unknown }
  outcome: ChargeOutcome
  metadata: Metadata
}) {
  return {
    ...given,
    object: 'charge' as const,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null as string | null,
    calculated_statement_descriptor: 'STAND-IN',
    captured: false,
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null as string | null,
    failure_code: null as string | null,
    failure_message: null as string | null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    paid: true,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded' as 'failed' | 'pending' | 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

export type Refund = ReturnType<typeof newRefund>

export function newRefund(given: {
  id: string
  created: number
  amount: number
  currency: string
  charge: string
  payment_intent: string
  payment_method: string
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null
  metadata: Metadata
}) {
  return {
    ...given,
    object: 'refund' as const,
    balance_transaction: null as string | null,
    customer: null,
    customer_account: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded' as 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled',
    transfer_reversal: null,
    destination_details: { type: 'card', card: { type: 'refund' as const, reference_status: 'pending' } },
  }
}

/** How the buyer has permitted a debit. Source: https://docs.stripe.com/api/mandates/object */
export type Acceptance = {
  readonly type: 'online' | 'offline'
  readonly accepted_at: number | null
  readonly online?: { readonly ip_address: string; readonly user_agent: string }
  readonly offline?: object
}

export type Mandate = {
  readonly id: string
  readonly object: 'mandate'
  readonly customer_acceptance: Acceptance
  readonly livemode: false
  readonly payment_method: string
  readonly payment_method_details: { readonly type: string; readonly [type: string]: unknown }
  readonly status: 'active'
  readonly type: 'multi_use' | 'single_use'
  readonly multi_use?: object
  readonly single_use?: { readonly amount: number; readonly currency: string }
}
