import type { Metadata } from './objects.ts'

/** Stripe's objects about what reaches the merchant: balance transactions, payouts, disputes, events. */

export type BalanceTransaction = {
  id: string
  object: 'balance_transaction'
  amount: number
  available_on: number
  balance_type: 'payments'
  created: number
  currency: string
  description: string | null
  exchange_rate: number | null
  fee: number
  fee_details: {
    amount: number
    application: null
    currency: string
    description: string
    type: string
  }[]
  net: number
  reporting_category: string
  source: string
  status: 'available' | 'pending'
  type: 'adjustment' | 'charge' | 'payment' | 'payment_refund' | 'payout' | 'refund' | 'refund_failure'
}

export type Payout = ReturnType<typeof newPayout>

export function newPayout(given: { id: string; created: number; amount: number; currency: string }) {
  return {
    ...given,
    object: 'payout' as const,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: given.created,
    automatic: true,
    balance_transaction: null as string | null,
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {} as Metadata,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed' as const,
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account' as const,
  }
}

export function newWarning(given: { id: string; created: number; charge: string; payment_intent: string }) {
  return {
    ...given,
    object: 'radar.early_fraud_warning' as const,
    actionable: true,
    fraud_type: 'unauthorized_use_of_card',
    livemode: false,
  }
}

export type Dispute = ReturnType<typeof newDispute>

export function newDispute(given: {
  id: string
  created: number
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string
  status:
    | 'lost'
    | 'needs_response'
    | 'under_review'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'won'
  due_by: number
}) {
  const { due_by, ...rest } = given
  return {
    ...rest,
    object: 'dispute' as const,
    balance_transactions: [] as BalanceTransaction[],
    enhanced_eligibility_types: [],
    evidence: emptyEvidence(),
    evidence_details: {
      due_by,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted' as 'manual' | 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: rest.status.startsWith('warning'),
    livemode: false,
    metadata: {} as Metadata,
    network_reason_code: rest.reason === 'fraudulent' ? '10.4' : '13.1',
  }
}

export function newEvent(given: {
  id: string
  created: number
  type: string
  object: object
  previous?: object | undefined
  key: string | null
}) {
  return {
    id: given.id,
    object: 'event' as const,
    api_version: '2026-10-28.endive',
    created: given.created,
    data: { object: given.object, ...(given.previous && { previous_attributes: given.previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: given.key },
    type: given.type,
  }
}

export type Event = ReturnType<typeof newEvent>

function emptyEvidence() {
  return {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  }
}

/** What the stand-in keeps of a file: its hash in place of its bytes. */
export type StoredFile = {
  readonly id: string
  readonly object: 'file'
  readonly created: number
  readonly purpose: string
  readonly filename: string | null
  readonly size: number
  readonly type: string
  readonly sha256: string
}
