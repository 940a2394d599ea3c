import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { NewMetadata } from '#resources/transactions/wire/order.ts'
import { MerchantAccountId, Scheme } from '../schemas.ts'

const FIELDS = {
  scheme: Scheme,
  merchant_acquirer_bin: Type.String({ minLength: 1, maxLength: 11 }),
  merchant_acquirer_id: Type.String({ minLength: 1, maxLength: 35 }),
  merchant_name: Type.String({ minLength: 1, maxLength: 40 }),
  merchant_country_code: Type.String({
    ...WRITTEN.merchantCountry,
    description: 'ISO 3166-1, numeric or alpha-2. Kept as it is sent.',
  }),
  merchant_category_code: Type.String({ ...WRITTEN.categoryCode, description: 'ISO 18245.' }),
  merchant_url: Type.String({ format: 'uri', maxLength: 2048 }),
  metadata: Type.Record(Type.String(), Type.String()),
}

const Currency = Nullable(
  Type.String({
    ...WRITTEN.currency,
    description: 'ISO 4217; null for every currency without a configuration of its own.',
  }),
)

const EXAMPLE = {
  scheme: 'visa',
  currency: 'EUR',
  merchant_acquirer_bin: '516327',
  merchant_acquirer_id: '123456789012345',
  merchant_name: 'Fashion store',
  merchant_country_code: '528',
  merchant_category_code: '5651',
  merchant_url: 'https://shop.example.com',
  metadata: { region: 'eu' },
}

export const CreateThreeDSConfiguration = Strict(
  { ...FIELDS, metadata: NewMetadata, currency: Type.Optional(Currency) },
  { title: 'CreateThreeDSConfiguration', examples: [EXAMPLE] },
)
export type CreateThreeDSConfiguration = Static<typeof CreateThreeDSConfiguration>

const OPTIONAL_FIELDS = {
  scheme: Type.Optional(Nullable(FIELDS.scheme)),
  merchant_acquirer_bin: Type.Optional(Nullable(FIELDS.merchant_acquirer_bin)),
  merchant_acquirer_id: Type.Optional(Nullable(FIELDS.merchant_acquirer_id)),
  merchant_name: Type.Optional(Nullable(FIELDS.merchant_name)),
  merchant_country_code: Type.Optional(Nullable(FIELDS.merchant_country_code)),
  merchant_category_code: Type.Optional(Nullable(FIELDS.merchant_category_code)),
  merchant_url: Type.Optional(Nullable(FIELDS.merchant_url)),
  metadata: Type.Optional(Nullable(NewMetadata)),
  currency: Type.Optional(Currency),
}

export const UpdateThreeDSConfiguration = Strict(OPTIONAL_FIELDS, {
  title: 'UpdateThreeDSConfiguration',
  examples: [{ merchant_name: 'Fashion store EU' }],
})
export type UpdateThreeDSConfiguration = Static<typeof UpdateThreeDSConfiguration>

export const ThreeDSConfiguration = Strict(
  {
    type: Kind('merchant-account.three-ds-configuration'),
    id: Uuid(),
    merchant_account_id: MerchantAccountId,
    ...FIELDS,
    currency: Currency,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'ThreeDSConfiguration',
    examples: [
      {
        type: 'merchant-account.three-ds-configuration',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: 'fashion-store',
        ...EXAMPLE,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type ThreeDSConfiguration = Static<typeof ThreeDSConfiguration>

export const ThreeDSConfigurations = Strict(
  { items: Type.Array(ThreeDSConfiguration) },
  { title: 'ThreeDSConfigurations' },
)
