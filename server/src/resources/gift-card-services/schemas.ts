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

const GiftCardServiceDefinitionId = DefinitionId('mock-gift-card')
const Active = Type.Boolean({
  description:
    'Whether gift cards are looked up and redeemed with this service. One service of an account can be active.',
})

const EXAMPLE_REQUEST = {
  display_name: 'Gift cards of the new provider',
  gift_card_service_definition_id: 'mock-gift-card',
  fields: [{ key: 'api_key', value: 'key-of-the-provider' }],
  active: false,
}

export const CreateGiftCardService = Strict(
  {
    display_name: DisplayName,
    gift_card_service_definition_id: GiftCardServiceDefinitionId,
    fields: FieldsOf('GiftCardServiceField'),
    active: Type.Optional(Nullable(Active)),
  },
  { title: 'CreateGiftCardService', examples: [EXAMPLE_REQUEST] },
)

export const UpdateGiftCardService = Strict(
  {
    display_name: Type.Optional(Nullable(DisplayName)),
    fields: Type.Optional(Nullable(FieldChangesOf('GiftCardServiceFieldChange'))),
    active: Type.Optional(Nullable(Active)),
  },
  { title: 'UpdateGiftCardService', examples: [{ display_name: 'Gift cards of the old provider' }] },
)

const SUMMARY = {
  type: Kind('gift-card-service'),
  id: Uuid(),
  gift_card_service_definition_id: GiftCardServiceDefinitionId,
  display_name: DisplayName,
}

const EXAMPLE_SUMMARY = {
  type: 'gift-card-service',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
  gift_card_service_definition_id: 'mock-gift-card',
  display_name: 'Gift cards of the new provider',
}

/** The part of a service that is shown with its gift cards. */
export const GiftCardServiceSummary = Strict(SUMMARY, {
  title: 'GiftCardServiceSummary',
  examples: [EXAMPLE_SUMMARY],
})
export type GiftCardServiceSummary = Static<typeof GiftCardServiceSummary>

export const GiftCardService = Strict(
  {
    ...SUMMARY,
    merchant_account_id: Type.String(),
    active: Active,
    fields: Type.Array(FieldOf('GiftCardServiceField'), { description: 'Secret fields are left out.' }),
    secret_fields: SecretFields,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'GiftCardService',
    examples: [
      {
        ...EXAMPLE_SUMMARY,
        merchant_account_id: 'default',
        active: true,
        fields: [],
        secret_fields: ['api_key'],
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type GiftCardService = Static<typeof GiftCardService>

export const GiftCardServices = CollectionOf(GiftCardService, 'GiftCardServices')

export const GiftCardServiceFilters = Strict(pageParameters())
