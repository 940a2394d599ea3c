import { type Static, Type } from 'typebox'
import { CollectionOf, pageParameters } from '../../platform/pagination.ts'
import { Kind, Strict } from '../../platform/schemas.ts'
import { DefinitionField } from '../payment-service-definitions/schemas.ts'

export const AntiFraudServiceDefinitionId = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'The provider, as in `mock-anti-fraud`.',
})

export const AntiFraudServiceDefinition = Strict(
  {
    type: Kind('anti-fraud-service-definition'),
    id: AntiFraudServiceDefinitionId,
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
    fields: Type.Array(DefinitionField, {
      description: 'What you tell the service when you set one up.',
    }),
    supported_features: Strict(
      {
        reviews: Type.Boolean({ description: 'It tells by a notification what came of a review.' }),
      },
      {
        title: 'AntiFraudServiceFeatures',
        description: 'What the service can do, besides deciding.',
      },
    ),
  },
  {
    title: 'AntiFraudServiceDefinition',
    examples: [
      {
        type: 'anti-fraud-service-definition',
        id: 'mock-anti-fraud',
        display_name: 'Mock anti-fraud',
        fields: [
          {
            key: 'webhook_secret',
            display_name: 'Webhook secret',
            required: false,
            format: 'text',
            secret: true,
            verifiable: false,
          },
        ],
        supported_features: { reviews: true },
      },
    ],
  },
)
export type AntiFraudServiceDefinition = Static<typeof AntiFraudServiceDefinition>

export const AntiFraudServiceDefinitions = CollectionOf(
  AntiFraudServiceDefinition,
  'AntiFraudServiceDefinitions',
)

export const AntiFraudServiceDefinitionFilters = Strict(pageParameters())
