import { CARD_TYPES } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { PAYMENT_METHODS, REDIRECT_METHODS } from '#domain/payment-method.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { Buyer } from '#resources/buyers/schemas.ts'

const STATUSES = ['processing', 'buyer_approval_required', 'succeeded', 'failed'] as const
export type Status = (typeof STATUSES)[number]
const MODES = [
  'card',
  'redirect',
  'applepay',
  'googlepay',
  'click-to-pay',
  'checkout-session',
  'bank',
] as const
/** Every method that can be stored. */
const METHODS: readonly string[] = [
  ...new Set([...Object.keys(PAYMENT_METHODS), ...REDIRECT_METHODS, 'bank', 'plaid']),
]

const Scheme = OneOf(Object.keys(CARD_SCHEMES) as CardScheme[])
export const ExternalIdentifier = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Your own reference. Unique.',
})
export const ExpirationDate = Type.String({
  ...WRITTEN.expirationDate,
  minLength: 5,
  maxLength: 5,
  description: 'MM/YY.',
})

const SchemeTransactionId = Nullable(
  Type.String({ maxLength: 100, description: 'The scheme’s id of the first payment.' }),
)
const TransactionLinkId = Nullable(
  Type.String({ maxLength: 100, description: 'Links payments at the scheme.' }),
)

export const UpdatePaymentMethod = Strict(
  {
    expiration_date: Type.Optional(Nullable(ExpirationDate)),
    scheme_transaction_id: Type.Optional(SchemeTransactionId),
    scheme_transaction_id_scheme: Type.Optional(Nullable(Scheme)),
    transaction_link_id: Type.Optional(TransactionLinkId),
  },
  { title: 'UpdatePaymentMethod', examples: [{ expiration_date: '11/33' }] },
)
export type UpdatePaymentMethod = Static<typeof UpdatePaymentMethod>

const CardDetails = Strict(
  {
    bin: Nullable(Type.String({ ...WRITTEN.cardStart })),
    card_type: Nullable(OneOf(CARD_TYPES)),
    card_issuer_name: Nullable(Type.String()),
  },
  { title: 'PaymentMethodCardDetails' },
)

/** The part of a payment method that is shown everywhere. */
const SUMMARY = {
  type: Kind('payment-method'),
  id: Uuid(),
  merchant_account_id: Type.String(),
  method: OneOf(METHODS),
  mode: OneOf(MODES),
  label: Nullable(
    Type.String({
      description:
        'The last four digits of a card or, as in `ACH ******7890`, of a bank account; or what the provider calls the account.',
    }),
  ),
  scheme: Nullable(Scheme),
  additional_schemes: Nullable(Type.Array(Scheme)),
  expiration_date: Nullable(ExpirationDate),
  details: Nullable(CardDetails),
  fingerprint: Nullable(
    Type.String({ description: 'The same for the same card or bank account, also of different buyers.' }),
  ),
  approval_url: Nullable(Type.String({ format: 'uri' })),
  approval_target: Nullable(OneOf(['any', 'new_window'])),
  country: Nullable(Type.String({ description: 'Null means usable in several countries.' })),
  currency: Nullable(Type.String({ description: 'Null means usable for several currencies.' })),
  has_replacement: Type.Boolean({ description: 'Whether new details were found and wait to be applied.' }),
  last_replaced_at: Nullable(DateTime()),
  usage_count: Type.Integer(),
  last_used_at: Nullable(DateTime()),
  cit_usage_count: Type.Integer({ description: 'Uses that the buyer initiated.' }),
  cit_last_used_at: Nullable(DateTime()),
  scheme_transaction_id: SchemeTransactionId,
  scheme_transaction_id_scheme: Nullable(Scheme),
  transaction_link_id: TransactionLinkId,
}

const EXAMPLE_SUMMARY = {
  type: 'payment-method',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
  merchant_account_id: 'default',
  method: 'card',
  mode: 'card',
  label: '1111',
  scheme: 'visa',
  additional_schemes: null,
  expiration_date: '12/30',
  details: { bin: '41111111', card_type: 'credit', card_issuer_name: null },
  fingerprint: 'a'.repeat(64),
  approval_url: null,
  approval_target: null,
  country: null,
  currency: null,
  has_replacement: false,
  last_replaced_at: null,
  usage_count: 0,
  last_used_at: null,
  cit_usage_count: 0,
  cit_last_used_at: null,
  scheme_transaction_id: null,
  scheme_transaction_id_scheme: null,
  transaction_link_id: null,
}

export const PaymentMethodSummary = Strict(SUMMARY, {
  title: 'PaymentMethodSummary',
  examples: [EXAMPLE_SUMMARY],
})
export type PaymentMethodSummary = Static<typeof PaymentMethodSummary>

export const PaymentMethod = Strict(
  {
    ...SUMMARY,
    status: OneOf(STATUSES),
    buyer: Nullable(Buyer),
    external_identifier: Nullable(ExternalIdentifier),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'PaymentMethod',
    examples: [
      {
        ...EXAMPLE_SUMMARY,
        status: 'succeeded',
        buyer: null,
        external_identifier: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type PaymentMethod = Static<typeof PaymentMethod>

export const PaymentMethods = CollectionOf(PaymentMethod, 'PaymentMethods')

export const PaymentMethodFilters = Strict({
  ...pageParameters(),
  buyer_id: Type.Optional(Uuid({ description: 'Only those of this buyer.' })),
  buyer_external_identifier: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same buyer, by your own reference.' }),
  ),
  status: Type.Optional(
    Type.Array(OneOf([...STATUSES, 'paused']), {
      description: 'Only those in one of these states. No payment method is ever `paused`.',
    }),
  ),
  external_identifier: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only the one with this reference.' }),
  ),
  fingerprint: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      expected: 'a fingerprint as payment methods show it: 64 digits and letters from a to f',
      description: 'Only those with this number: the same card or bank account, of whichever buyers.',
    }),
  ),
})
export type PaymentMethodFilters = Static<typeof PaymentMethodFilters>
