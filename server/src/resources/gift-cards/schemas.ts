import { GIFT_CARD_ERROR_CODES } from '#connectors/contract/gift-card.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { Buyer } from '#resources/buyers/schemas.ts'
import { GiftCardServiceSummary } from '#resources/gift-card-services/schemas.ts'

export const GiftCardNumber = Type.String({
  ...WRITTEN.giftCardNumber,
  minLength: 16,
  maxLength: 19,
  description: '16 to 19 digits. Sealed in the vault and never shown again.',
})
export const Pin = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Sealed in the vault and never shown again.',
})

/** The buyer to store a card for. */
export const BUYER = {
  buyer_id: Type.Optional(Nullable(Uuid({ description: 'The buyer to store the card for.' }))),
  buyer_external_identifier: Type.Optional(
    Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'The same buyer, by your own reference.' }),
    ),
  ),
}

export const CreateGiftCard = Strict(
  { number: GiftCardNumber, pin: Pin, ...BUYER },
  { title: 'CreateGiftCard', examples: [{ number: '4123455541234561234', pin: '01000' }] },
)
export type CreateGiftCard = Static<typeof CreateGiftCard>

const FACTS = {
  bin: Type.String({ description: 'The first six digits of the number.' }),
  sub_bin: Type.String({ description: 'The three digits after the BIN.' }),
  last4: Type.String({ description: 'The last four digits.' }),
}
const ExpirationDate = Nullable(
  DateTime({ description: 'Null if the card does not expire, or if its service did not say.' }),
)
const USES = {
  usage_count: Type.Integer({ description: 'The number of payments with the card.' }),
  last_used_at: Nullable(DateTime()),
  cit_usage_count: Type.Integer({ description: 'Uses that the buyer initiated.' }),
  cit_last_used_at: Nullable(DateTime()),
}
const EXAMPLE_FACTS = {
  type: 'gift-card',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007',
  merchant_account_id: 'default',
  bin: '412345',
  sub_bin: '554',
  last4: '1234',
  expiration_date: '2027-11-15T00:00:00.000Z',
}
const EXAMPLE_USES = { usage_count: 0, last_used_at: null, cit_usage_count: 0, cit_last_used_at: null }

export const GiftCard = Strict(
  {
    type: Kind('gift-card'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    gift_card_service: GiftCardServiceSummary,
    ...FACTS,
    expiration_date: ExpirationDate,
    buyer: Nullable(Buyer),
    ...USES,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'GiftCard',
    examples: [
      {
        ...EXAMPLE_FACTS,
        gift_card_service: {
          type: 'gift-card-service',
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
          gift_card_service_definition_id: 'mock-gift-card',
          display_name: 'Gift card simulator',
        },
        buyer: null,
        ...EXAMPLE_USES,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type GiftCard = Static<typeof GiftCard>

export const GiftCards = CollectionOf(GiftCard, 'GiftCards')

export const GiftCardFilters = Strict({
  ...pageParameters(),
  buyer_id: Type.Optional(Uuid({ description: 'Only those of this buyer.' })),
  buyer_external_identifier: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same buyer, by your own reference.' }),
  ),
})
export type GiftCardFilters = Static<typeof GiftCardFilters>

/** A card with its balance. */
export const GiftCardSummary = Strict(
  {
    type: Kind('gift-card'),
    id: Nullable(Uuid({ description: 'Null when the card is not stored.' })),
    merchant_account_id: Type.String(),
    ...FACTS,
    currency: Nullable(
      Type.String({ ...WRITTEN.currency, description: 'Currency of the balance. ISO 4217.' }),
    ),
    expiration_date: ExpirationDate,
    balance: Nullable(
      Type.Integer({ description: 'In the smallest unit of the currency. Null when it is not available.' }),
    ),
    balance_error_code: Nullable(OneOf(GIFT_CARD_ERROR_CODES, { description: 'Why there is no balance.' })),
    balance_raw_error_code: Nullable(Type.String({ description: 'As the gift card service gave it.' })),
    balance_raw_error_message: Nullable(Type.String()),
    ...USES,
  },
  {
    title: 'GiftCardSummary',
    examples: [
      {
        ...EXAMPLE_FACTS,
        currency: 'USD',
        balance: 1000,
        balance_error_code: null,
        balance_raw_error_code: null,
        balance_raw_error_message: null,
        ...EXAMPLE_USES,
      },
    ],
  },
)
export type GiftCardSummary = Static<typeof GiftCardSummary>

export const GiftCardSummaries = Strict(
  { items: Type.Array(GiftCardSummary) },
  { title: 'GiftCardSummaries' },
)
export type GiftCardSummaries = Static<typeof GiftCardSummaries>
