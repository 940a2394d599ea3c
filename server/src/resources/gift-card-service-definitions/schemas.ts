import { type Static, Type } from 'typebox'
import { CollectionOf, pageParameters } from '../../platform/pagination.ts'
import { Kind, Strict } from '../../platform/schemas.ts'
import { DefinitionField } from '../payment-service-definitions/schemas.ts'

export const GiftCardServiceDefinitionId = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'The provider, as in `mock-gift-card`.',
})

export const GiftCardServiceDefinition = Strict(
  {
    type: Kind('gift-card-service-definition'),
    id: GiftCardServiceDefinitionId,
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
    fields: Type.Array(DefinitionField, {
      description: 'What you tell the service when you set one up.',
    }),
    supported_features: Strict(
      {
        activations: Type.Boolean({ description: 'Cards can be activated.' }),
        issuances: Type.Boolean({ description: 'New cards can be issued.' }),
      },
      {
        title: 'GiftCardServiceFeatures',
        description: 'What the service can do, besides balances and payments.',
      },
    ),
  },
  {
    title: 'GiftCardServiceDefinition',
    examples: [
      {
        type: 'gift-card-service-definition',
        id: 'mock-gift-card',
        display_name: 'Mock gift card',
        fields: [
          {
            key: 'api_key',
            display_name: 'API key',
            required: true,
            format: 'text',
            secret: true,
            verifiable: false,
          },
        ],
        supported_features: { activations: true, issuances: false },
      },
    ],
  },
)
export type GiftCardServiceDefinition = Static<typeof GiftCardServiceDefinition>

export const GiftCardServiceDefinitions = CollectionOf(
  GiftCardServiceDefinition,
  'GiftCardServiceDefinitions',
)

export const GiftCardServiceDefinitionFilters = Strict(pageParameters())
