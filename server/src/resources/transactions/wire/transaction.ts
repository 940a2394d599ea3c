import { AVS_RESPONSE_CODES, CVV_RESPONSE_CODES } from '#connectors/contract/connector.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { CollectionOf } from '#platform/listing/pagination.ts'
import { BillingDetails } from '#resources/buyers/schemas.ts'
import { TransactionConnectionOptions } from './connection-options/schemas.ts'
import { EXAMPLE_SUMMARY, EXAMPLE_TRANSACTION } from './example.ts'
import { NewTransactionGiftCard } from './gift-card.ts'
import { GiftCardRedemption, TransactionGiftCardService } from './gift-card-redemption.ts'
import {
  Airline,
  Amount,
  BrowserInfo,
  CartItem,
  INTENTS,
  Metadata,
  NewAirline,
  NewCartItem,
  NewGuestBuyer,
  NewMetadata,
  NewRecipient,
  NewStatementDescriptor,
  optional,
  PAYMENT_SOURCES,
  Recipient,
  StatementDescriptor,
  TransactionBuyer,
  TransactionShippingDetails,
} from './order.ts'
import {
  METHODS,
  NewTransactionPaymentMethod,
  TransactionPaymentMethod,
  TransactionPaymentService,
} from './payment-method.ts'
import { NewThreeDSecureData, ThreeDSecure, TransactionThreeDSecureSummary } from './three-d-secure.ts'

export const INTEGRATION_CLIENTS = ['redirect', 'web', 'android', 'ios'] as const

export const STATUSES = [
  'processing',
  'buyer_approval_pending',
  'authorization_succeeded',
  'authorization_failed',
  'authorization_declined',
  'capture_pending',
  'capture_succeeded',
  'authorization_void_pending',
  'authorization_voided',
] as const
export type Status = (typeof STATUSES)[number]

export const CAPTURE_STATUSES = ['succeeded', 'pending', 'declined', 'failed'] as const

const INTENT_OUTCOMES = ['pending', 'succeeded', 'failed'] as const

const INSTRUMENT_TYPES = [
  'pan',
  'card_token',
  'redirect',
  'redirect_token',
  'googlepay',
  'applepay',
  'network_token',
  'plaid',
  'bank',
] as const
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number]

export const ANTI_FRAUD_DECISIONS = [
  'accept',
  'error',
  'exception',
  'reject',
  'review',
  'skipped',
  'pending',
] as const
export type AntiFraudDecision = (typeof ANTI_FRAUD_DECISIONS)[number]

const Country = Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' })
const Currency = Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' })
const ExternalIdentifier = Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference.' })
const Text = (maxLength: number, description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength, description }))
const Switch = (description: string) => Type.Boolean({ default: false, description })

/** Facts about the sale. We pass them on to the payment service, and show them again. */
const SALE = {
  tax_amount: Nullable(Amount({ description: 'The tax in the amount.' })),
  amount_includes_tax: Nullable(Type.Boolean()),
  merchant_tax_id: Text(100, 'Your own tax number.'),
  purchase_order_number: Text(100, 'The number of the buyer’s order.'),
  customer_reference_number: Text(100, 'The buyer’s own reference.'),
  supplier_order_number: Text(100, 'The number of the supplier’s order.'),
  duty_amount: Nullable(Amount({ description: 'The customs duty in the amount.' })),
  shipping_amount: Nullable(Amount({ description: 'The shipping in the amount.' })),
}

const BUYER = {
  buyer: Nullable(NewGuestBuyer),
  buyer_id: Nullable(Uuid({ description: 'The buyer who pays.' })),
  buyer_external_identifier: Text(200, 'The same buyer, by your own reference.'),
  shipping_details_id: Nullable(Uuid({ description: 'Shipping details of that buyer.' })),
}

const CART =
  'What is bought. Adyen, PayPal and Stripe get it with a card (levels 2 and 3), and methods that show it to the buyer, such as Klarna.'

const ORDER = {
  metadata: Nullable(NewMetadata),
  description: Nullable(Type.String({ description: 'What is paid for.' })),
  cart_items: Nullable(Type.Array(NewCartItem, { description: CART })),
  airline: Nullable(NewAirline),
  statement_descriptor: Nullable(NewStatementDescriptor),
  recipient: Nullable(NewRecipient),
  browser_info: Nullable(BrowserInfo),
  installment_count: Nullable(Type.Integer({ minimum: 1, maximum: 100 })),
}

const PROCESSING = {
  payment_service_id: Nullable(Uuid({ description: 'Use only this payment service.' })),
  connection_options: Nullable(TransactionConnectionOptions),
  three_d_secure: Nullable(ThreeDSecure),
  three_d_secure_data: NewThreeDSecureData,
  previous_scheme_transaction_id: Text(100, 'The scheme’s id of the first payment of a series.'),
  previous_transaction_link_id: Text(100, 'Links this payment to the first of a series.'),
  anti_fraud_fingerprint: Nullable(
    Type.String({ description: 'The device fingerprint from the anti-fraud script.' }),
  ),
  integration_client: Nullable(OneOf(INTEGRATION_CLIENTS)),
  approval_expires_at: Nullable(DateTime({ description: 'When the time for the buyer to approve ends.' })),
}

const leftOut = (usual: string) => `Default: the checkout session’s value, or else ${usual}.`

/** Without defaults, because the checkout session may fill the gaps. */
const HOW_IT_COMES_ABOUT = {
  intent: OneOf(INTENTS, { description: `Whether to capture at once. ${leftOut('authorize')}` }),
  payment_source: OneOf(PAYMENT_SOURCES, { description: leftOut('ecommerce') }),
  merchant_initiated: Type.Boolean({
    description: `Whether the merchant initiates the payment. ${leftOut('false')}`,
  }),
  is_subsequent_payment: Type.Boolean({
    description: `Whether it follows an earlier payment of a series. ${leftOut('false')}`,
  }),
}

export const TransactionCreate = Strict(
  {
    amount: Amount({ description: 'In the smallest unit of the currency, gift cards included.' }),
    currency: Currency,
    ...optional({
      country: Nullable(Country),
      payment_method: NewTransactionPaymentMethod,
      gift_cards: Nullable(Type.Array(NewTransactionGiftCard)),
      external_identifier: Nullable(ExternalIdentifier),
    }),
    ...optional(HOW_IT_COMES_ABOUT),
    store: Switch('Whether to store the payment method.'),
    async_capture: Switch('Whether to capture after we answer the request.'),
    account_funding_transaction: Switch('Whether the payment funds an account.'),
    allow_partial_authorization: Switch('Whether less than the amount may be authorized.'),
    ...optional(BUYER),
    ...optional(ORDER),
    ...optional(SALE),
    ...optional(PROCESSING),
  },
  {
    title: 'TransactionCreate',
    examples: [
      {
        amount: 1299,
        currency: 'USD',
        country: 'US',
        payment_method: {
          method: 'card',
          number: '4111111111111111',
          expiration_date: '12/30',
          security_code: '123',
        },
      },
    ],
  },
)
export type TransactionCreate = Static<typeof TransactionCreate>

export const TransactionUpdate = Strict(
  optional({
    status: Nullable(OneOf(STATUSES)),
    amount: Nullable(Amount()),
    authorized_amount: Nullable(Amount()),
    captured_amount: Nullable(Amount()),
    payment_service_transaction_id: Nullable(
      Type.String({ description: 'The payment service’s own id of the transaction.' }),
    ),
    external_identifier: Nullable(ExternalIdentifier),
    metadata: Nullable(NewMetadata),
    connection_options: Nullable(TransactionConnectionOptions),
  }),
  { title: 'TransactionUpdate', examples: [{ metadata: { shelf: 'B12' } }] },
)
export type TransactionUpdate = Static<typeof TransactionUpdate>

export const TransactionCaptureCreate = Strict(
  {
    ...optional({
      amount: Nullable(Amount({ description: 'Default: all that is authorized.' })),
      airline: Nullable(NewAirline),
      cart_items: Nullable(Type.Array(NewCartItem)),
      external_identifier: Text(300, 'Your own reference.'),
    }),
    final: Type.Boolean({ default: true, description: 'Whether no other capture follows.' }),
    reauthorize_if_authorization_expired: Switch(
      'Whether to authorize again when the authorization has expired.',
    ),
  },
  { title: 'TransactionCaptureCreate', examples: [{ amount: 1299 }] },
)
export type TransactionCaptureCreate = Static<typeof TransactionCaptureCreate>

export const TransactionAuthorizationIncrementCreate = Strict(
  { amount: Amount({ description: 'The amount to add to the authorization.' }) },
  { title: 'TransactionAuthorizationIncrementCreate', examples: [{ amount: 200 }] },
)
export type TransactionAuthorizationIncrementCreate = Static<typeof TransactionAuthorizationIncrementCreate>

const SUMMARY = {
  type: Kind('transaction'),
  id: Uuid(),
  reconciliation_id: Type.String({ description: 'The id in base 62, 22 characters.' }),
  merchant_account_id: Type.String(),
  external_identifier: Nullable(ExternalIdentifier),
  status: OneOf(STATUSES),
  intent: OneOf(INTENTS),
  amount: Type.Integer({ description: 'The requested amount, gift cards included.' }),
  currency: Currency,
  country: Nullable(Country),
  authorized_amount: Type.Integer({ description: 'Without gift cards.' }),
  captured_amount: Type.Integer(),
  refunded_amount: Type.Integer(),
  settled: Type.Boolean(),
  settled_amount: Type.Integer(),
  settled_currency: Nullable(Currency),
  method: Nullable(OneOf(METHODS)),
  instrument_type: Nullable(OneOf(INSTRUMENT_TYPES)),
  payment_method: Nullable(TransactionPaymentMethod),
  payment_service: Nullable(TransactionPaymentService),
  buyer: Nullable(TransactionBuyer),
  shipping_details: Nullable(TransactionShippingDetails),
  checkout_session_id: Nullable(Uuid()),
  gift_card_redemptions: Type.Array(GiftCardRedemption),
  gift_card_service: Nullable(TransactionGiftCardService),
  error_code: Nullable(Type.String({ description: 'Why the transaction was declined or failed.' })),
  raw_response_code: Nullable(Type.String({ description: 'As the payment service gave it.' })),
  raw_response_description: Nullable(Type.String()),
  pending_review: Type.Boolean({ description: 'Whether the transaction waits for a manual review.' }),
  disputed: Type.Boolean({ description: 'Whether the buyer disputes the transaction.' }),
  reauthorized_from_transaction_id: Nullable(Uuid()),
  created_at: DateTime(),
  updated_at: DateTime(),
}

export const TransactionSummary = Strict(SUMMARY, {
  title: 'TransactionSummary',
  examples: [EXAMPLE_SUMMARY],
})
export type TransactionSummary = Static<typeof TransactionSummary>

export const Transactions = CollectionOf(TransactionSummary, 'Transactions', 500)
export type Transactions = Static<typeof Transactions>

export const Transaction = Strict(
  {
    ...SUMMARY,
    capturable_amount: Type.Integer({
      description:
        'The part of the authorized amount that can still be captured. Over-capture is not included.',
    }),
    intent_outcome: OneOf(INTENT_OUTCOMES, {
      description: 'Whether every instrument was authorized. Later voids and refunds do not change it.',
    }),
    multi_tender: Type.Boolean({ description: 'Whether several instruments pay.' }),
    payment_source: OneOf(PAYMENT_SOURCES),
    merchant_initiated: Type.Boolean(),
    is_subsequent_payment: Type.Boolean(),
    account_funding_transaction: Type.Boolean(),
    metadata: Nullable(Metadata),
    cart_items: Nullable(Type.Array(CartItem)),
    airline: Nullable(Airline),
    statement_descriptor: Nullable(StatementDescriptor),
    recipient: Nullable(Recipient),
    installment_count: Nullable(Type.Integer()),
    ...SALE,
    payment_service_transaction_id: Nullable(
      Type.String({ description: 'The payment service’s own id of the transaction.' }),
    ),
    additional_identifiers: Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      additionalProperties: { type: ['string', 'null'] },
      description: 'Other ids that the payment service gave.',
    }),
    scheme_transaction_id: Nullable(Type.String({ description: 'The scheme’s own id of the transaction.' })),
    transaction_link_id: Nullable(Type.String({ description: 'Links payments at the scheme.' })),
    auth_response_code: Nullable(Type.String()),
    iso_response_code: Nullable(Type.String({ description: 'By ISO 8583.' })),
    avs_response_code: Nullable(OneOf(AVS_RESPONSE_CODES)),
    cvv_response_code: Nullable(OneOf(CVV_RESPONSE_CODES)),
    merchant_advice_code: Nullable(Type.String()),
    anti_fraud_decision: Nullable(OneOf(ANTI_FRAUD_DECISIONS)),
    three_d_secure: Nullable(TransactionThreeDSecureSummary),
    session_token: Nullable(
      Type.String({
        description:
          'For `POST /transactions/{id}/session`, while the payment waits for the buyer. Null if the payment service has no sessions.',
      }),
    ),
    authorized_at: Nullable(DateTime()),
    captured_at: Nullable(DateTime()),
    voided_at: Nullable(DateTime()),
    canceled_at: Nullable(DateTime()),
    approval_expires_at: Nullable(DateTime()),
    buyer_approval_timedout_at: Nullable(DateTime()),
  },
  { title: 'Transaction', examples: [EXAMPLE_TRANSACTION] },
)
export type Transaction = Static<typeof Transaction>

export const TransactionCapture = Result(
  'TransactionCapture',
  {
    type: Kind('transaction-capture'),
    status: OneOf(CAPTURE_STATUSES),
    capture_id: Nullable(Uuid()),
    payment_service_capture_id: Nullable(Type.String()),
    external_identifier: Nullable(Type.String()),
    billing_details: Nullable(BillingDetails),
    shipping_details: Nullable(TransactionShippingDetails),
  },
  {
    type: 'transaction-capture',
    status: 'succeeded',
    capture_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0012',
    payment_service_capture_id: 'cap_8e2f',
    external_identifier: null,
    billing_details: null,
    shipping_details: null,
  },
)
export type TransactionCapture = Static<typeof TransactionCapture>

const VOID_STATUSES = ['succeeded', 'pending', 'declined', 'failed'] as const

export const TransactionVoid = Result(
  'TransactionVoid',
  { type: Kind('transaction-void'), status: OneOf(VOID_STATUSES) },
  { type: 'transaction-void', status: 'succeeded' },
)
export type TransactionVoid = Static<typeof TransactionVoid>

const CANCEL_STATUSES = ['succeeded', 'pending', 'failed'] as const

export const TransactionCancel = Result(
  'TransactionCancel',
  { type: Kind('transaction-cancel'), status: OneOf(CANCEL_STATUSES) },
  { type: 'transaction-cancel', status: 'succeeded' },
)
export type TransactionCancel = Static<typeof TransactionCancel>

const INCREMENT_STATUSES = ['succeeded', 'failed'] as const

export const TransactionAuthorizationIncrement = Result(
  'TransactionAuthorizationIncrement',
  { type: Kind('transaction-authorization-increment'), status: OneOf(INCREMENT_STATUSES) },
  { type: 'transaction-authorization-increment', status: 'succeeded' },
)
export type TransactionAuthorizationIncrement = Static<typeof TransactionAuthorizationIncrement>

/** How an operation on a transaction went, with the transaction as it is now. */
function Result<Fields extends Record<string, TSchema>>(title: string, fields: Fields, example: object) {
  return Strict(
    {
      ...fields,
      code: Nullable(Type.String({ description: 'Why the operation was declined or failed.' })),
      raw_response_code: Nullable(Type.String({ description: 'As the payment service gave it.' })),
      raw_response_description: Nullable(Type.String()),
      transaction: Transaction,
    },
    {
      title,
      examples: [
        {
          ...example,
          code: null,
          raw_response_code: '00',
          raw_response_description: 'Approved',
          transaction: EXAMPLE_TRANSACTION,
        },
      ],
    },
  )
}
