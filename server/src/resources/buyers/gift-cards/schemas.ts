import { Type } from 'typebox'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { OrderBy, SortBy } from '../sort-by-use.ts'

export const BuyerGiftCardFilters = Strict({
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
})
