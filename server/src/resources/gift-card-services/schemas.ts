import { Kind, Strict, Uuid } from '#platform/http/schemas.ts'
import type { Static } from '#platform/http/type.ts'
import { DefinitionId, DisplayName } from '#processing/service-accounts/schemas.ts'

/** The part of a service that is shown with its gift cards. */
export const GiftCardServiceSummary = Strict(
  {
    type: Kind('gift-card-service'),
    id: Uuid(),
    gift_card_service_definition_id: DefinitionId('mock-gift-card'),
    display_name: DisplayName,
  },
  {
    title: 'GiftCardServiceSummary',
    examples: [
      {
        type: 'gift-card-service',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
        gift_card_service_definition_id: 'mock-gift-card',
        display_name: 'Gift cards of the new provider',
      },
    ],
  },
)
export type GiftCardServiceSummary = Static<typeof GiftCardServiceSummary>
