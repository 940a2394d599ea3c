import type pg from 'pg'
import type { Place } from '../lab/product.ts'
import { repeat } from './keyed-request.ts'

/**
 * The provider of a program: the simulated processor, or the stand-in of a real one. It runs outside the service and
 * outlives it. Its books say what was really done.
 */
export type Provider = {
  readonly name: ProviderName
  readonly port: number
  /** How many requests have arrived, questions included. */
  readonly asked: () => number
  /** How the service is started, so that it reaches the provider at this port. A wire may be in between. */
  readonly reach: (port: number) => Surroundings
  /** What a merchant enters for a payment service that uses the provider at this port. */
  readonly account: (port: number) => object
  /** Operations that are tried with it. */
  readonly can: { readonly payouts: boolean; readonly tokens: boolean; readonly faults: boolean }
  /** Whether captures, voids, refunds and increments end with a notification, some time later. */
  readonly isSlow: boolean
  /** Sends notifications to this address from now on, those that wait included. */
  readonly notify: (url: string) => Promise<void>
  /** Brings its books up to date in the database, and returns the name of their table. */
  readonly books: (database: pg.Client) => Promise<string>
}

type Surroundings = { readonly preload: readonly string[]; readonly env: Readonly<Record<string, string>> }

export const PROVIDERS = ['simulator', 'adyen', 'stripe'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** How titles and explanations call it. */
export const IN_WORDS: Readonly<Record<ProviderName, string>> = {
  simulator: 'the simulated processor',
  adyen: 'the stand-in for Adyen',
  stripe: 'the stand-in for Stripe',
}

/** The name of a program, for each provider. */
export function nameWith(name: string, provider: ProviderName): string {
  return provider === 'simulator' ? name : `${name}-${provider}`
}

/** The title of a program, for each provider. */
export function titleWith(title: string, provider: ProviderName): string {
  return provider === 'simulator' ? title : `${title}, with ${IN_WORDS[provider]}`
}

/** At the simulator, which can do everything. */
export const SIMULATED_ACCOUNT = {
  payment_service_definition_id: 'mock-card',
  fields: [
    { key: 'merchant_id', value: 'shop' },
    { key: 'extended', value: 'true' },
  ],
}

/** The idempotency key makes it one service, however often this is called. */
export async function openAccount(
  place: Place,
  account: object = SIMULATED_ACCOUNT,
  key = 'service',
): Promise<{ readonly id: string; readonly notificationsUrl: string }> {
  const body = { display_name: key, accepted_currencies: ['USD'], accepted_countries: ['US'], ...account }
  const { id, webhook_url } = await repeat(place, { route: '/payment-services', body, key })
  return { id, notificationsUrl: place.url + new URL(webhook_url).pathname }
}
