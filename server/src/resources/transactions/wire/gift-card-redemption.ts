import { GIFT_CARD_ERROR_CODES } from '#connectors/contract/gift-card.ts'
import { Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const GIFT_CARD_REDEMPTION_STATUSES = ['created', 'succeeded', 'failed', 'skipped'] as const

const TransactionGiftCard = Strict(
  {
    type: Kind('gift-card'),
    id: Nullable(Uuid({ description: 'Null when the gift card is not stored.' })),
    bin: Type.String(),
    sub_bin: Type.String(),
    last4: Type.String(),
  },
  { title: 'TransactionGiftCard' },
)

export const GiftCardRedemption = Strict(
  {
    type: Kind('gift-card-redemption'),
    id: Uuid(),
    status: OneOf(GIFT_CARD_REDEMPTION_STATUSES),
    amount: Type.Integer(),
    refunded_amount: Type.Integer(),
    gift_card_service_redemption_id: Nullable(Type.String()),
    error_code: Nullable(OneOf(GIFT_CARD_ERROR_CODES)),
    raw_error_code: Nullable(Type.String({ description: 'As the gift card service gave it.' })),
    raw_error_message: Nullable(Type.String()),
    gift_card: TransactionGiftCard,
  },
  { title: 'GiftCardRedemption' },
)
export type GiftCardRedemption = Static<typeof GiftCardRedemption>

export const TransactionGiftCardService = Strict(
  {
    type: Kind('gift-card-service'),
    id: Uuid(),
    gift_card_service_definition_id: Type.String(),
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { title: 'TransactionGiftCardService' },
)
export type TransactionGiftCardService = Static<typeof TransactionGiftCardService>
