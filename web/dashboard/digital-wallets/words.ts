import type { Schemas } from '../../api/schema.d.ts'
import { countryOptions } from '../parts/countries.ts'
import { type Field, field, type Typed, type Values } from '../parts/fields.tsx'
import type { Mark, Marks } from '../parts/values.tsx'

export type Wallet = Schemas['DigitalWallet']
export type Key = Schemas['DigitalWalletKey']
type Provider = Wallet['provider']

export const PATH = '/digital-wallets'
export const LIST = { to: PATH, label: 'Digital wallets' }

export const PROVIDERS: Readonly<Record<Provider, string>> = {
  apple: 'Apple Pay',
  google: 'Google Pay',
  'click-to-pay': 'Click to Pay',
  paze: 'Paze',
}

export function providerName(provider: Provider): string {
  return PROVIDERS[provider]
}

/** Whether Apple Pay can work: it needs certificates. The other wallets need none. */
export function markOf(wallet: Wallet): Mark {
  if (wallet.provider !== 'apple') return { tone: 'good', label: 'Registered' }
  if (wallet.active_certificate_count > 0) {
    return wallet.expired_certificate_count > 0
      ? { tone: 'info', label: 'A certificate has expired' }
      : { tone: 'good', label: 'Certified' }
  }
  if (wallet.pending_certificate_count > 0) return { tone: 'wait', label: 'Waiting for a certificate' }
  if (wallet.expired_certificate_count > 0) return { tone: 'bad', label: 'Expired' }
  return { tone: 'info', label: 'Without certificates' }
}

export const KEY_STATUSES: Marks<Key['status']> = {
  pending: { tone: 'wait', label: 'Waiting for its certificate' },
  active: { tone: 'good', label: 'Active' },
  expired: { tone: 'bad', label: 'Expired' },
}

export const PURPOSES: Readonly<Record<Key['purpose'], string>> = {
  'apple-merchant-identity': 'Merchant identity',
  'apple-payment-processing': 'Payment processing',
  'google-payment': 'Google Pay tokens',
}

/** Questions about a new wallet. Some providers have their own. */
export function newFields(taken: readonly Provider[]) {
  const free = (Object.keys(PROVIDERS) as Provider[]).filter((one) => !taken.includes(one))
  return (typed: Typed): readonly Field[] => [
    field('choice', 'provider', 'Wallet', {
      isRequired: true,
      options: free.map((value) => ({ value, label: PROVIDERS[value] })),
    }),
    ...settingFields(typed['provider'] as Provider),
    field('flag', 'accept_terms_and_conditions', 'I accept the provider’s terms for this merchant account'),
  ]
}

/** What can be changed later. */
export function settingFields(provider: Provider | undefined): readonly Field[] {
  return [
    field('text', 'merchant_name', 'Merchant name', {
      isRequired: true,
      hint: 'As registered with the provider.',
    }),
    field('text', 'merchant_display_name', 'Name shown to buyers', {
      whenEmpty: 'null',
      hint: 'Defaults to the merchant name',
    }),
    field('url', 'merchant_url', 'Shop URL', { whenEmpty: 'null' }),
    field('choice', 'merchant_country_code', 'Country', {
      options: countryOptions(),
      isHalf: true,
      whenEmpty: 'null',
    }),
    field('text', 'merchant_category_code', 'Category (MCC)', {
      isHalf: true,
      whenEmpty: 'null',
      hint: 'Four digits.',
    }),
    ...extrasOf(provider),
  ]
}

/** By what Click to Pay and Paze know the merchant. */
const EXTRAS: Readonly<Partial<Record<Provider, Readonly<Record<string, string>>>>> = {
  'click-to-pay': { digital_payment_application_id: 'Digital payment application id' },
  paze: { client_id: 'Client id', profile_id: 'Profile id' },
}

function extrasOf(provider: Provider | undefined): readonly Field[] {
  return Object.entries((provider && EXTRAS[provider]) ?? {}).map(([name, label]) =>
    field('text', `extra_configuration.${name}`, label, {
      hint: 'From your enrolment. Optional in a sandbox.',
    }),
  )
}

export function valuesOf(wallet: Wallet): Values {
  const extras = Object.entries(wallet.extra_configuration ?? {})
  return {
    ...wallet,
    ...Object.fromEntries(extras.map(([name, value]) => [`extra_configuration.${name}`, value])),
  }
}

/** The extra settings are replaced as a whole: those that the form does not ask about stay. */
export function withExtras(wallet: Wallet, body: Values): Schemas['UpdateDigitalWallet'] {
  const asked = Object.keys(EXTRAS[wallet.provider] ?? {})
  const others = Object.entries(wallet.extra_configuration ?? {}).filter(([name]) => !asked.includes(name))
  const extra = { ...Object.fromEntries(others), ...(body['extra_configuration'] as object | undefined) }
  return {
    ...body,
    extra_configuration: Object.keys(extra).length > 0 ? extra : null,
  } as Schemas['UpdateDigitalWallet']
}

/** Apple's files that prove who owns a domain, by domain. */
export function associationsOf({ extra_configuration }: Wallet): Readonly<Record<string, string>> {
  return (extra_configuration?.['domain_associations'] ?? {}) as Readonly<Record<string, string>>
}
