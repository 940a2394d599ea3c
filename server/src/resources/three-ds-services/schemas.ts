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

const ThreeDSServiceDefinitionId = DefinitionId('mock-three-ds')
const Active = Type.Boolean({
  description: 'Whether the service authenticates buyers. One service of an account can be active.',
})

const EXAMPLE_REQUEST = {
  display_name: '3-D Secure in Europe',
  three_ds_service_definition_id: 'mock-three-ds',
  fields: [],
  active: false,
}

export const CreateThreeDSService = Strict(
  {
    display_name: DisplayName,
    three_ds_service_definition_id: ThreeDSServiceDefinitionId,
    fields: FieldsOf('ThreeDSServiceField'),
    active: Type.Optional(Nullable(Active)),
  },
  { title: 'CreateThreeDSService', examples: [EXAMPLE_REQUEST] },
)

export const UpdateThreeDSService = Strict(
  {
    display_name: Type.Optional(Nullable(DisplayName)),
    fields: Type.Optional(Nullable(FieldChangesOf('ThreeDSServiceFieldChange'))),
    active: Type.Optional(Nullable(Active)),
  },
  { title: 'UpdateThreeDSService', examples: [{ display_name: '3-D Secure of the old provider' }] },
)

export const ThreeDSService = Strict(
  {
    type: Kind('three-ds-service'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    three_ds_service_definition_id: ThreeDSServiceDefinitionId,
    display_name: DisplayName,
    active: Active,
    fields: Type.Array(FieldOf('ThreeDSServiceField'), { description: 'Secret fields are left out.' }),
    secret_fields: SecretFields,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'ThreeDSService',
    examples: [
      {
        type: 'three-ds-service',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0042',
        merchant_account_id: 'default',
        three_ds_service_definition_id: 'mock-three-ds',
        display_name: '3-D Secure in Europe',
        active: true,
        fields: [],
        secret_fields: [],
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type ThreeDSService = Static<typeof ThreeDSService>

export const ThreeDSServices = CollectionOf(ThreeDSService, 'ThreeDSServices')

export const ThreeDSServiceFilters = Strict(pageParameters())
