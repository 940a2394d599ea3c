import { Type } from 'typebox'
import { WRITTEN } from '#domain/written-forms.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { PaymentMethodSummary } from '#resources/payment-methods/schemas.ts'
import { OrderBy, SortBy } from '../sort-by-use.ts'

export const BuyerPaymentMethodFilters = Strict({
  buyer_id: Type.Optional(Uuid({ description: 'The buyer. Either this or `buyer_external_identifier`.' })),
  buyer_external_identifier: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same buyer, by your own reference.',
      examples: ['known-buyer'],
    }),
  ),
  sort_by: Type.Optional(SortBy),
  order_by: OrderBy,
  country: Type.Optional(
    Type.String({ ...WRITTEN.country, description: 'Only those usable in this country.' }),
  ),
  currency: Type.Optional(
    Type.String({ ...WRITTEN.currency, description: 'Only those usable for this currency.' }),
  ),
})

export const PaymentMethodSummaries = Strict(
  { items: Type.Array(PaymentMethodSummary) },
  { title: 'PaymentMethodSummaries' },
)
