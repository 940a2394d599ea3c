import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const WALLET_PROVIDERS = ['apple', 'google', 'click-to-pay', 'paze'] as const
export type WalletProvider = (typeof WALLET_PROVIDERS)[number]

/** As many as Apple takes for one merchant. */
export const DOMAINS_MAX = 99

const Provider = OneOf(WALLET_PROVIDERS, {
  description: 'One wallet for each provider and merchant account.',
})
const MerchantName = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The name of the merchant, as the provider knows it.',
})
export const DomainName = Type.String({
  maxLength: 255,
  description:
    'The name of a public host, such as `shop.example.com`: no scheme, no path, no port, no address. Letters beyond ASCII are stored as punycode.',
})

export const WalletAddress = Strict(
  {
    line1: Type.String({ minLength: 1, maxLength: 255 }),
    line2: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255 }))),
    city: Type.String({ minLength: 1, maxLength: 100 }),
    state_code: Type.String({ ...WRITTEN.stateCode, description: 'ISO 3166-2.' }),
    postal_code: Type.String({ minLength: 1, maxLength: 50 }),
  },
  { title: 'DigitalWalletAddress', description: 'Where the merchant is.' },
)
export type WalletAddress = Static<typeof WalletAddress>

export type ExtraConfiguration = Readonly<Record<string, unknown>>

const DETAILS = {
  merchant_display_name: Type.Optional(
    Nullable(Type.String({ maxLength: 1024, description: 'The name that the buyer sees.' })),
  ),
  merchant_url: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
  merchant_country_code: Type.Optional(
    Nullable(Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' })),
  ),
  merchant_category_code: Type.Optional(
    Nullable(Type.String({ minLength: 4, maxLength: 4, description: 'ISO 18245.' })),
  ),
  address: Type.Optional(Nullable(WalletAddress)),
  extra_configuration: Type.Optional(
    Nullable(
      Type.Unsafe<ExtraConfiguration>({
        type: 'object',
        additionalProperties: true,
        description:
          'Settings of one provider. Apple: `domain_associations`, the files that prove a domain, by domain. Click to Pay: ' +
          '`digital_payment_application_id`. Google: `merchant_id`, what Google calls you, and `official_button`, whether our pages show ' +
          'Google’s own button, with its script. Paze: `client_id` and `profile_id`. Other fields are kept and not used.',
      }),
    ),
  ),
}

const DomainNames = Type.Array(DomainName, {
  maxItems: DOMAINS_MAX,
  description: 'The hosts of pages that show the wallet’s button.',
})

export const CreateDigitalWallet = Strict(
  {
    provider: Provider,
    merchant_name: MerchantName,
    ...DETAILS,
    domain_names: Type.Optional(DomainNames),
    accept_terms_and_conditions: Type.Boolean({
      description: 'Must be true: you accept the terms of the provider.',
    }),
  },
  {
    title: 'CreateDigitalWallet',
    examples: [
      {
        provider: 'apple',
        merchant_name: 'Fashion store',
        domain_names: ['shop.example.com'],
        accept_terms_and_conditions: true,
      },
    ],
  },
)
export type CreateDigitalWallet = Static<typeof CreateDigitalWallet>

export const UpdateDigitalWallet = Strict(
  {
    merchant_name: Type.Optional(Nullable(MerchantName)),
    domain_names: Type.Optional(Nullable(DomainNames)),
    ...DETAILS,
  },
  { title: 'UpdateDigitalWallet', examples: [{ merchant_name: 'Fashion store Berlin' }] },
)
export type UpdateDigitalWallet = Static<typeof UpdateDigitalWallet>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const DigitalWallet = Strict(
  {
    type: Kind('digital-wallet'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    provider: Provider,
    merchant_name: Type.String(),
    merchant_display_name: Nullable(Type.String()),
    merchant_url: Nullable(Type.String()),
    merchant_country_code: Nullable(Type.String()),
    merchant_category_code: Nullable(Type.String()),
    address: Nullable(WalletAddress),
    extra_configuration: Nullable(
      Type.Unsafe<ExtraConfiguration>({ type: 'object', additionalProperties: true }),
    ),
    domain_names: Type.Array(Type.String()),
    active_certificate_count: Count('Certificates of Apple Pay that are valid now.'),
    pending_certificate_count: Count('Keys of Apple Pay whose certificate is still missing.'),
    expired_certificate_count: Count('Certificates of Apple Pay that have expired.'),
    fields: Nullable(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'By what the provider knows this merchant account. Google: `gateway`, `gateway_merchant_id` and `session_public_key`, ' +
          'which verifies the tokens of sessions. Null for the others.',
      }),
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'DigitalWallet',
    examples: [
      {
        type: 'digital-wallet',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: 'default',
        provider: 'apple',
        merchant_name: 'Fashion store',
        merchant_display_name: null,
        merchant_url: null,
        merchant_country_code: null,
        merchant_category_code: null,
        address: null,
        extra_configuration: null,
        domain_names: ['shop.example.com'],
        active_certificate_count: 2,
        pending_certificate_count: 0,
        expired_certificate_count: 0,
        fields: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type DigitalWallet = Static<typeof DigitalWallet>

export const DigitalWallets = Strict({ items: Type.Array(DigitalWallet) }, { title: 'DigitalWallets' })
