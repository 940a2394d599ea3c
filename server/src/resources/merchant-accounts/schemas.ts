import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

const EXAMPLE_ID = 'fashion-store'
const Upto = (maximum: number, description: string) =>
  Nullable(Type.Integer({ minimum: 0, maximum, description }))
const OuterId = (description: string) => Nullable(Type.String({ maxLength: 300, description }))
const OuterKey = (description: string) =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: `${description} Answers show it as \`********\`.`,
    }),
  )

export const Scheme = OneOf(Object.keys(CARD_SCHEMES) as CardScheme[])

export const MerchantAccountId = Type.String({ minLength: 1, maxLength: 50, ...WRITTEN.merchantAccountId })
const DisplayName = Type.String({ minLength: 1, maxLength: 255, description: 'Name to display.' })

const OVER_CAPTURE = {
  over_capture_amount: Upto(99_999_999, 'How much more than authorized may be captured, in minor units.'),
  over_capture_percentage: Upto(99_999_999, 'How much more than authorized may be captured, in percent.'),
}

const SETTINGS = {
  account_updater_enabled: Type.Boolean({
    description: 'Whether the account updater keeps stored cards current.',
  }),
  account_updater_request_encryption_key: OuterKey('Key that encrypts requests to the account updater.'),
  account_updater_request_encryption_key_id: OuterId('Id of that key.'),
  account_updater_response_decryption_key: OuterKey('Key that decrypts answers of the account updater.'),
  account_updater_response_decryption_key_id: OuterId('Id of that key.'),
  ...OVER_CAPTURE,
  loon_client_key: OuterKey('Client key of the account updater service.'),
  loon_secret_key: OuterKey('Secret key of the account updater service.'),
  loon_accepted_schemes: Nullable(Type.Array(Scheme, { uniqueItems: true })),
  loon_merchant_account_id: OuterId('The account’s name at the account updater service.'),
  visa_network_tokens_requestor_id: OuterId('Token requestor at Visa.'),
  visa_network_tokens_app_id: OuterId('Application at Visa.'),
  amex_network_tokens_requestor_id: OuterId('Token requestor at American Express.'),
  amex_network_tokens_app_id: OuterId('Application at American Express.'),
  mastercard_network_tokens_requestor_id: OuterId('Token requestor at Mastercard.'),
  mastercard_network_tokens_app_id: OuterId('Application at Mastercard.'),
  discover_network_tokens_requestor_id: OuterId('Token requestor at Discover.'),
  discover_network_tokens_app_id: OuterId('Application at Discover.'),
  async_network_tokens_enabled: Type.Boolean({
    description: 'Whether each card that is stored gets a network token, after the request is answered.',
  }),
}

const OPTIONAL_SETTINGS = Type.Partial(Type.Object(SETTINGS)).properties

export const CreateMerchantAccount = Strict(
  { id: MerchantAccountId, display_name: DisplayName, ...OPTIONAL_SETTINGS },
  { title: 'CreateMerchantAccount', examples: [{ id: EXAMPLE_ID, display_name: 'Fashion store' }] },
)
export type CreateMerchantAccount = Static<typeof CreateMerchantAccount>

export const UpdateMerchantAccount = Strict(
  { display_name: Type.Optional(Nullable(DisplayName)), ...OPTIONAL_SETTINGS },
  {
    title: 'UpdateMerchantAccount',
    examples: [{ display_name: 'Fashion store (EU)', over_capture_percentage: 15 }],
  },
)
export type UpdateMerchantAccount = Static<typeof UpdateMerchantAccount>

const EXAMPLE_SUMMARY = {
  type: 'merchant-account',
  id: EXAMPLE_ID,
  display_name: 'Fashion store',
  over_capture_amount: null,
  over_capture_percentage: 15,
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
}

export const MerchantAccount = Strict(
  {
    type: Kind('merchant-account'),
    id: MerchantAccountId,
    display_name: DisplayName,
    ...SETTINGS,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'MerchantAccount',
    examples: [
      {
        ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, null])),
        ...EXAMPLE_SUMMARY,
        account_updater_enabled: false,
        async_network_tokens_enabled: false,
      },
    ],
  },
)
export type MerchantAccount = Static<typeof MerchantAccount>

export const MerchantAccounts = CollectionOf(MerchantAccount, 'MerchantAccounts')

export const MerchantAccountFilters = Strict({
  ...pageParameters(),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the id or the display name.' })),
})
export type MerchantAccountFilters = Static<typeof MerchantAccountFilters>

/** The part of a merchant account that other resources show. */
export const MerchantAccountSummary = Strict(
  {
    type: Kind('merchant-account'),
    id: MerchantAccountId,
    display_name: DisplayName,
    created_at: DateTime(),
    updated_at: DateTime(),
    ...OVER_CAPTURE,
  },
  { title: 'MerchantAccountSummary', examples: [EXAMPLE_SUMMARY] },
)
export type MerchantAccountSummary = Static<typeof MerchantAccountSummary>
