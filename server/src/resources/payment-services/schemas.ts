import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import {
  DisplayName,
  FieldChangesOf,
  FieldOf,
  FieldsOf,
  SecretFields,
} from '#processing/service-accounts/schemas.ts'
import { Method, PaymentServiceDefinitionId } from '#resources/payment-service-definitions/schemas.ts'
import { METHODS } from '#resources/transactions/wire/payment-method.ts'

const STATUSES = ['pending', 'created', 'failed'] as const

/** Leaves room in the database's integers for a service that is added last. */
const POSITION_MAX = 1_000_000_000
const LIST_MAX = 500

const Position = Type.Integer({
  minimum: -POSITION_MAX,
  maximum: POSITION_MAX,
  description: 'The order in which services are tried, lowest first. A new service comes last.',
})
const Active = Type.Boolean({ description: 'Whether new payments can use the service.' })

const Field = FieldOf('PaymentServiceField')
const Fields = FieldsOf('PaymentServiceField')
const VoidableFields = FieldChangesOf('PaymentServiceFieldChange')

const Currencies = (options: object = {}) =>
  Type.Array(Type.String({ ...WRITTEN.currency }), { description: 'ISO 4217.', ...options })
const Countries = (options: object = {}) =>
  Type.Array(Type.String({ ...WRITTEN.country }), { description: 'ISO 3166-1 alpha-2.', ...options })
const SOME = { minItems: 1, maxItems: LIST_MAX }

const PROFILE = {
  merchant_acquirer_bin: Type.String({ minLength: 1, maxLength: 11 }),
  merchant_acquirer_id: Type.String({ minLength: 1, maxLength: 35 }),
  merchant_name: Type.String({ minLength: 1, maxLength: 40 }),
  merchant_country_code: Type.String({
    ...WRITTEN.merchantCountry,
    description: 'ISO 3166-1, numeric or alpha-2. Kept as it is sent.',
  }),
  merchant_category_code: Type.String({ ...WRITTEN.categoryCode, description: 'ISO 18245.' }),
  merchant_url: Type.String({ format: 'uri', maxLength: 2048 }),
}
const SchemeProfile = Strict(PROFILE, { title: 'MerchantProfileScheme' })
const SchemeProfileSummary = Strict(
  { ...PROFILE, created_at: DateTime() },
  { title: 'MerchantProfileSchemeSummary' },
)

const SCHEMES = Object.keys(CARD_SCHEMES) as CardScheme[]
const MerchantProfile = Type.Unsafe<Partial<Record<CardScheme, Static<typeof SchemeProfile> | null>>>(
  Strict(Object.fromEntries(SCHEMES.map((scheme) => [scheme, Type.Optional(Nullable(SchemeProfile))])), {
    description: 'The merchant’s details for each card scheme, for 3-D Secure.',
  }),
)
export type MerchantProfile = Static<typeof MerchantProfile>

const MerchantProfileSummary = Type.Unsafe<Partial<Record<CardScheme, Static<typeof SchemeProfileSummary>>>>(
  Strict(Object.fromEntries(SCHEMES.map((scheme) => [scheme, Type.Optional(SchemeProfileSummary)]))),
)
export type MerchantProfileSummary = Static<typeof MerchantProfileSummary>

const EXAMPLE_REQUEST = {
  display_name: 'Cards in Europe',
  payment_service_definition_id: 'mock-card',
  fields: [{ key: 'merchant_id', value: 'fashion-store' }],
  accepted_currencies: ['EUR', 'GBP'],
  accepted_countries: ['DE', 'GB', 'NL'],
}

export const CreatePaymentService = Strict(
  {
    display_name: DisplayName,
    payment_service_definition_id: PaymentServiceDefinitionId,
    fields: Fields,
    reporting_fields: Type.Optional(Nullable(Fields)),
    position: Type.Optional(Nullable(Position)),
    accepted_currencies: Currencies(SOME),
    accepted_countries: Countries(SOME),
    active: Type.Optional(Nullable(Active)),
    three_d_secure_enabled: Type.Boolean({
      default: false,
      description: 'Whether the service’s payments are authenticated with 3-D Secure.',
    }),
    merchant_profile: Type.Optional(Nullable(MerchantProfile)),
    payment_method_tokenization_enabled: Type.Optional(Nullable(Type.Boolean())),
    network_tokens_enabled: Type.Optional(Nullable(Type.Boolean())),
    open_loop: Type.Optional(Nullable(Type.Boolean())),
    settlement_reporting_enabled: Type.Boolean({ default: false }),
  },
  { title: 'CreatePaymentService', examples: [EXAMPLE_REQUEST] },
)
export type CreatePaymentService = Static<typeof CreatePaymentService>

export const UpdatePaymentService = Strict(
  {
    display_name: Type.Optional(Nullable(DisplayName)),
    fields: Type.Optional(Nullable(VoidableFields)),
    reporting_fields: Type.Optional(Nullable(VoidableFields)),
    position: Type.Optional(Nullable(Position)),
    accepted_currencies: Type.Optional(Nullable(Currencies(SOME))),
    accepted_countries: Type.Optional(Nullable(Countries(SOME))),
    active: Type.Optional(Nullable(Active)),
    three_d_secure_enabled: Type.Optional(Nullable(Type.Boolean())),
    merchant_profile: Type.Optional(Nullable(MerchantProfile)),
    payment_method_tokenization_enabled: Type.Optional(Nullable(Type.Boolean())),
    network_tokens_enabled: Type.Optional(Nullable(Type.Boolean())),
    open_loop: Type.Optional(Nullable(Type.Boolean())),
    settlement_reporting_enabled: Type.Optional(Nullable(Type.Boolean())),
  },
  { title: 'UpdatePaymentService', examples: [{ display_name: 'Cards in the EU', position: 2 }] },
)
export type UpdatePaymentService = Static<typeof UpdatePaymentService>

export const PaymentService = Strict(
  {
    type: Kind('payment-service'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    payment_service_definition_id: PaymentServiceDefinitionId,
    active: Active,
    method: Method,
    display_name: DisplayName,
    position: Type.Integer(),
    status: OneOf(STATUSES),
    accepted_currencies: Currencies(),
    accepted_countries: Countries(),
    payment_method_tokenization_enabled: Type.Boolean(),
    network_tokens_enabled: Type.Boolean(),
    open_loop: Type.Boolean({
      description: 'Whether the service accepts the scheme’s id of an earlier payment at another service.',
    }),
    settlement_reporting_enabled: Type.Boolean(),
    three_d_secure_enabled: Nullable(Type.Boolean()),
    merchant_profile: Nullable(MerchantProfileSummary),
    webhook_url: Nullable(
      Type.String({ format: 'uri', description: 'Where the provider sends its notifications.' }),
    ),
    fields: Nullable(Type.Array(Field, { description: 'Secret fields are left out.' })),
    secret_fields: SecretFields,
    reporting_fields: Nullable(Type.Array(Field)),
    secret_reporting_fields: SecretFields,
    is_deleted: Type.Boolean(),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'PaymentService',
    examples: [
      {
        type: 'payment-service',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0021',
        merchant_account_id: 'default',
        ...EXAMPLE_REQUEST,
        active: true,
        method: 'card',
        position: 1,
        status: 'created',
        payment_method_tokenization_enabled: false,
        network_tokens_enabled: false,
        open_loop: true,
        settlement_reporting_enabled: false,
        three_d_secure_enabled: false,
        merchant_profile: null,
        webhook_url:
          'https://pay.example.com/payment-services/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0021/notifications/bQwH0yT1',
        secret_fields: [],
        reporting_fields: [],
        secret_reporting_fields: [],
        is_deleted: false,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type PaymentService = Static<typeof PaymentService>

export const PaymentServices = CollectionOf(PaymentService, 'PaymentServices')

export const PaymentServiceFilters = Strict({
  ...pageParameters(),
  method: Type.Optional(OneOf(METHODS, { description: 'Only those for this payment method.' })),
  deleted: Type.Optional(
    Type.Boolean({
      description: 'True lists only deleted services. Default: only those that are not deleted.',
    }),
  ),
})
export type PaymentServiceFilters = Static<typeof PaymentServiceFilters>

export const VerifyCredentials = Strict(
  {
    payment_service_definition_id: PaymentServiceDefinitionId,
    payment_service_id: Type.Optional(
      Nullable(Uuid({ description: 'A service whose stored fields fill the gaps.' })),
    ),
    fields: Fields,
  },
  {
    title: 'VerifyCredentials',
    examples: [
      {
        payment_service_definition_id: 'mock-card',
        fields: [{ key: 'merchant_id', value: 'fashion-store' }],
      },
    ],
  },
)
export type VerifyCredentials = Static<typeof VerifyCredentials>

export const VerifiedCredentials = Strict({}, { title: 'VerifiedCredentials', examples: [{}] })
