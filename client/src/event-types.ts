import type * as T from './generated/types.ts'

/** A payment as events tell it: get the payment for the rest. */
export type EventTransaction = Pick<
  T.Transaction,
  | 'type'
  | 'id'
  | 'external_identifier'
  | 'payment_service_transaction_id'
  | 'status'
  | 'pending_review'
  | 'amount'
  | 'authorized_amount'
  | 'captured_amount'
  | 'refunded_amount'
  | 'currency'
  | 'metadata'
  | 'created_at'
  | 'updated_at'
  | 'error_code'
  | 'iso_response_code'
  | 'payment_source'
  | 'merchant_initiated'
  | 'is_subsequent_payment'
> & {
  has_gift_card_redemptions: boolean
  payment_link_id: string | null
  payment_method: Pick<T.TransactionPaymentMethod, 'id' | 'method' | 'label' | 'scheme'> | null
  buyer: Pick<
    T.TransactionBuyer,
    'id' | 'display_name' | 'external_identifier' | 'account_number' | 'billing_details'
  > | null
} & Partial<Pick<T.Transaction, 'settled' | 'settled_amount' | 'settled_currency' | 'disputed'>>

type PageCheck = {
  type: 'page-check'
  id: string
  url: string
  findings: { address: string; problem: string }[]
}

/** What an event is about, by the longest beginning of its name. */
type Targets = {
  'api-key-pair': Omit<T.APIKeyPair, 'active' | 'private_key'> & { enabled: boolean }
  buyer: T.Buyer
  'buyer.erased': T.BuyerErasure
  'shipping-details': T.ShippingDetails
  'payment-method': T.PaymentMethod
  transaction: EventTransaction
  capture: T.TransactionCapture
  refund: T.Refund
  payout: T.Payout & {
    error_code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
  }
  'gift-card': T.GiftCard
  'payment-link': Omit<T.PaymentLink, 'url'>
  'monitoring.incident': T.MonitoringIncident
  'report-execution': T.ReportExecution & {
    row_count?: number | null
    file_size?: number | null
    failure_reason?: string | null
  }
  'page-check': PageCheck
  'webhook-subscription': T.WebhookSubscription
}

type TargetOf<Name extends string> = Name extends keyof Targets
  ? Targets[Name]
  : Name extends `${infer Kind extends keyof Targets & string}.${string}`
    ? Targets[Kind]
    : Name extends `monitoring.incident.${string}`
      ? Targets['monitoring.incident']
      : T.Event['target']

/** An event whose `target` is known once its `name` is: `if (event.name === 'transaction.captured') …`. */
export type WebhookEvent = {
  [Name in T.Event['name']]: Omit<T.Event, 'name' | 'target'> & { name: Name; target: TargetOf<Name> }
}[T.Event['name']]
