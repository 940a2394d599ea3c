import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import {
  DefinitionId,
  DisplayName,
  FieldChangesOf,
  FieldOf,
  FieldsOf,
  SecretFields,
} from '#processing/service-accounts/schemas.ts'

const AntiFraudServiceDefinitionId = DefinitionId('mock-anti-fraud')
const Active = Type.Boolean({
  description: 'Whether the service is asked about payments. One service of an account can be active.',
})
const ReviewsEnabled = Type.Boolean({
  description: 'Whether a payment that needs a review is held until a reviewer has decided.',
})

const EXAMPLE_REQUEST = {
  display_name: 'Fraud checks of the new provider',
  anti_fraud_service_definition_id: 'mock-anti-fraud',
  fields: [{ key: 'webhook_secret', value: 'secret-shared-with-the-provider' }],
  active: false,
  reviews_enabled: true,
}

export const CreateAntiFraudService = Strict(
  {
    display_name: DisplayName,
    anti_fraud_service_definition_id: AntiFraudServiceDefinitionId,
    fields: FieldsOf('AntiFraudServiceField'),
    active: Type.Optional(Nullable(Active)),
    reviews_enabled: Type.Optional(Nullable(ReviewsEnabled)),
  },
  { title: 'CreateAntiFraudService', examples: [EXAMPLE_REQUEST] },
)

export const UpdateAntiFraudService = Strict(
  {
    display_name: Type.Optional(Nullable(DisplayName)),
    fields: Type.Optional(Nullable(FieldChangesOf('AntiFraudServiceFieldChange'))),
    active: Type.Optional(Nullable(Active)),
    reviews_enabled: Type.Optional(Nullable(ReviewsEnabled)),
  },
  { title: 'UpdateAntiFraudService', examples: [{ display_name: 'Fraud checks of the old provider' }] },
)

export const AntiFraudService = Strict(
  {
    type: Kind('anti-fraud-service'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    anti_fraud_service_definition_id: AntiFraudServiceDefinitionId,
    display_name: DisplayName,
    active: Active,
    reviews_enabled: ReviewsEnabled,
    webhook_url: Type.String({
      format: 'uri',
      description: 'Where the provider sends the results of reviews.',
    }),
    fields: Type.Array(FieldOf('AntiFraudServiceField'), { description: 'Secret fields are left out.' }),
    secret_fields: SecretFields,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'AntiFraudService',
    examples: [
      {
        type: 'anti-fraud-service',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0041',
        merchant_account_id: 'default',
        anti_fraud_service_definition_id: 'mock-anti-fraud',
        display_name: 'Fraud checks of the new provider',
        active: true,
        reviews_enabled: true,
        webhook_url:
          'https://pay.example.com/anti-fraud-services/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0041/notifications/bQwH0yT1',
        fields: [],
        secret_fields: ['webhook_secret'],
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type AntiFraudService = Static<typeof AntiFraudService>

export const AntiFraudServices = CollectionOf(AntiFraudService, 'AntiFraudServices')

export const AntiFraudServiceFilters = Strict(pageParameters())
