import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { GiftCardServiceSummary } from '#resources/gift-card-services/schemas.ts'
import { Amount } from '#resources/transactions/wire/order.ts'

const Currency = Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' })
const ExternalIdentifier = Nullable(
  Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference.' }),
)

export const IssueGiftCard = Strict(
  {
    theme: Type.String({ minLength: 1, maxLength: 200, description: 'The design of the card.' }),
    amount: Amount({ description: 'The amount on the card.' }),
    currency: Currency,
    external_identifier: Type.Optional(ExternalIdentifier),
  },
  { title: 'IssueGiftCard', examples: [{ theme: 'birthday', amount: 2500, currency: 'USD' }] },
)
export type IssueGiftCard = Static<typeof IssueGiftCard>

export const GiftCardIssuance = Strict(
  {
    type: Kind('gift-card-issuance'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    gift_card_service: GiftCardServiceSummary,
    gift_card_service_payment_issuance_id: Type.String({
      description: 'The gift card service’s own id of the issuance.',
    }),
    url: Type.String({
      description: 'Shows the card with its number and PIN, without a token. We do not store this URL.',
    }),
    amount: Amount(),
    currency: Currency,
    external_identifier: ExternalIdentifier,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'GiftCardIssuance',
    examples: [
      {
        type: 'gift-card-issuance',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0032',
        merchant_account_id: 'default',
        gift_card_service: {
          type: 'gift-card-service',
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
          gift_card_service_definition_id: 'switchyard-gift-card',
          display_name: 'Our own gift cards',
        },
        gift_card_service_payment_issuance_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0033',
        url: 'https://pay.example.com/gift-cards/a-secret-link',
        amount: 2500,
        currency: 'USD',
        external_identifier: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type GiftCardIssuance = Static<typeof GiftCardIssuance>
