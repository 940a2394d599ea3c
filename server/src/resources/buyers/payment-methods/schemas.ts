import { type Static, Type } from 'typebox'
import { OneOf, Strict, Uuid } from '../../../platform/schemas.ts'
import { PaymentMethodSummary } from '../../payment-methods/schemas.ts'

const SORTS = ['last_used_at', 'usage_count', 'cit_last_used_at', 'cit_usage_count'] as const

export const BuyerPaymentMethodFilters = Strict({
  buyer_id: Type.Optional(Uuid({ description: 'The buyer. Either this or `buyer_external_identifier`.' })),
  buyer_external_identifier: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same, by your own reference.',
      examples: ['known-buyer'],
    }),
  ),
  sort_by: Type.Optional(OneOf(SORTS, { description: 'Newest stored first when left out.' })),
  order_by: OneOf(['asc', 'desc'], { default: 'desc', description: 'The direction of `sort_by`.' }),
  country: Type.Optional(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'Only those usable in this country.' }),
  ),
  currency: Type.Optional(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'Only those usable for this currency.' }),
  ),
})
export type BuyerPaymentMethodFilters = Static<typeof BuyerPaymentMethodFilters>

export const PaymentMethodSummaries = Strict(
  { items: Type.Array(PaymentMethodSummary) },
  { title: 'PaymentMethodSummaries' },
)
