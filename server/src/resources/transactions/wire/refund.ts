import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { Creator } from '#resources/api-key-pairs/show-creator.ts'
import { Amount, optional } from './order.ts'

const REFUND_STATUSES = ['processing', 'succeeded', 'failed', 'declined', 'voided'] as const

const REFUND_TARGET_TYPES = ['payment-method', 'gift-card-redemption'] as const

const NOTES = optional({
  reason: Nullable(Type.String({ maxLength: 100, description: 'The reason, for your own records.' })),
  external_identifier: Nullable(
    Type.String({ minLength: 1, maxLength: 300, description: 'Your own reference.' }),
  ),
})

export const RefundCreate = Strict(
  {
    ...optional({ amount: Nullable(Amount({ minimum: 1, description: 'Default: all that is left.' })) }),
    target_type: OneOf(REFUND_TARGET_TYPES, { default: 'payment-method', description: 'What is refunded.' }),
    ...optional({
      target_id: Nullable(
        Uuid({
          description:
            'The gift card redemption to refund. For a payment method: the id of the transaction’s stored method, or nothing.',
        }),
      ),
    }),
    ...NOTES,
  },
  { title: 'RefundCreate', examples: [{ amount: 500, reason: 'One bag came back' }] },
)
export type RefundCreate = Static<typeof RefundCreate>

export const RefundAllCreate = Strict(NOTES, {
  title: 'RefundAllCreate',
  examples: [{ reason: 'The order was cancelled' }],
})
export type RefundAllCreate = Static<typeof RefundAllCreate>

export const Refund = Strict(
  {
    type: Kind('refund'),
    id: Uuid(),
    reconciliation_id: Type.String({ description: 'The id in base 62, 22 characters.' }),
    external_identifier: Nullable(Type.String({ description: 'Your own reference.' })),
    transaction_id: Uuid(),
    transaction_reconciliation_id: Type.String(),
    transaction_external_identifier: Nullable(Type.String()),
    payment_service_refund_id: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'The payment service’s own id of the refund.',
      }),
    ),
    status: OneOf(REFUND_STATUSES, {
      description:
        'Switchyard does not use `voided`: no operation takes a refund back, and one that the payment service cancels is `declined` or `failed`.',
    }),
    currency: Type.String({ ...WRITTEN.currency }),
    amount: Amount(),
    reason: Nullable(Type.String()),
    target_type: OneOf(REFUND_TARGET_TYPES),
    target_id: Nullable(Uuid()),
    creator: Nullable(Creator),
    error_code: Nullable(Type.String()),
    raw_response_code: Nullable(Type.String({ description: 'As the payment service gave it.' })),
    raw_response_description: Nullable(Type.String()),
    settled: Type.Boolean(),
    settled_amount: Type.Integer(),
    settled_currency: Nullable(Type.String({ ...WRITTEN.currency })),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'Refund',
    examples: [
      {
        type: 'refund',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0013',
        reconciliation_id: '031LbNmY03iyM3ZaIJLKWx',
        external_identifier: null,
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        transaction_reconciliation_id: '031LbNmY03iyM3ZaIJLKWu',
        transaction_external_identifier: 'order-4711',
        payment_service_refund_id: 'ref_51ac',
        status: 'succeeded',
        currency: 'USD',
        amount: 500,
        reason: 'One bag came back',
        target_type: 'payment-method',
        target_id: null,
        creator: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001', name: 'Shop server', email_address: '' },
        error_code: null,
        raw_response_code: null,
        raw_response_description: null,
        settled: false,
        settled_amount: 0,
        settled_currency: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Refund = Static<typeof Refund>

export const Refunds = CollectionOf(Refund, 'Refunds')
export type Refunds = Static<typeof Refunds>

export const RefundFilters = Strict({
  ...pageParameters(),
  ...optional({
    created_at_lte: DateTime({ description: 'Only those created at this time or before.' }),
    created_at_gte: DateTime({ description: 'Only those created at this time or after.' }),
    status: Type.Array(OneOf(REFUND_STATUSES), { description: 'Only those in one of these states.' }),
    transaction_id: Uuid({ description: 'Only those of this transaction.' }),
    external_identifier: Type.String({
      maxLength: 300,
      description: 'Only those with this reference of yours.',
    }),
    currency: Type.Array(Type.String({ ...WRITTEN.currency }), {
      description: 'Only those in one of these currencies.',
    }),
  }),
})
export type RefundFilters = Static<typeof RefundFilters>
