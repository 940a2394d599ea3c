import type pg from 'pg'
import { createStandIn as createAdyen } from '#sandbox/stand-ins/adyen/stand-in.ts'
import { createStandIn as createStripe, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { SIMULATOR_BOOKS } from '#testing/books.ts'
import { type FrontOptions, openFront } from '../lab/front.ts'
import { FAR_PROCESSOR, type Processor, startProcessor } from '../lab/processor.ts'
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

/** One line of a provider's books, as in those of the simulator. The key of a movement is the id of our attempt. */
type Entry = {
  readonly attempt_id: string
  readonly operation: string
  readonly amount: number
  readonly is_final: boolean
}

const COMMON = {
  reach: () => ({ preload: [], env: {} }),
  can: { payouts: false, tokens: false, faults: false },
} as const

/** Captures and the like end by themselves, and Adyen tells of it. */
async function startAdyen(options: FrontOptions): Promise<Provider> {
  const standIn = createAdyen({ now: () => new Date(), isAutomatic: true })
  const { merchantAccount, apiKey, hmacKey } = standIn.account
  const control = controlOf(standIn.fetch)
  return {
    ...COMMON,
    ...(await openFront((request) => pass(standIn.fetch, request), options)),
    name: 'adyen',
    isSlow: true,
    account: (port) => ({
      payment_service_definition_id: 'adyen-card',
      fields: toFields({
        api_key: apiKey,
        merchant_account: merchantAccount,
        hmac_key: hmacKey,
        stand_in_url: `http://127.0.0.1:${port}`,
      }),
    }),
    notify: async (url) => {
      await control('POST', 'webhook', { url })
      // It ends when nothing waits any more. Shops that go on would keep it busy for ever.
      void control('POST', 'deliver').catch(() => {})
    },
    books: async (database) => {
      const { movements } = (await control('GET', 'books')) as { movements: AdyenMovement[] }
      const entries = movements.map(({ kind, reference, amount, isCaptured }) => ({
        attempt_id: reference,
        operation: ADYEN_OPERATIONS[kind] ?? kind,
        amount: amount.value,
        is_final: isCaptured,
      }))
      return keep(database, entries)
    },
  }
}

type AdyenMovement = {
  readonly kind: string
  readonly reference: string
  readonly amount: { readonly value: number }
  readonly isCaptured: boolean
}

const ADYEN_OPERATIONS: Readonly<Record<string, string>> = {
  AUTHORISATION: 'authorize',
  CAPTURE: 'capture',
  CANCELLATION: 'void',
  REFUND: 'refund',
  CANCEL_OR_REFUND: 'refund',
  AUTHORISATION_ADJUSTMENT: 'increment',
}

const WEBHOOK_SECRET = 'whsec_of_the_program'

async function startStripe(options: FrontOptions): Promise<Provider> {
  let target: string | null = null
  const standIn = createStripe({
    now: () => new Date(),
    webhook: { url: 'https://shop.example.com', secret: WEBHOOK_SECRET },
    send: async ({ headers, body }) => {
      if (target === null) return 0
      return (await fetch(target, { method: 'POST', headers, body })).status
    },
  })
  const control = controlOf(standIn.fetch)
  const tell = () => {
    if (target !== null) void control('POST', 'deliver').catch(() => {})
  }
  const front = await openFront(async (request) => {
    const answer = await pass(standIn.fetch, request)
    tell()
    return answer
  }, options)
  return {
    ...COMMON,
    ...front,
    name: 'stripe',
    isSlow: false,
    account: (port) => ({
      payment_service_definition_id: 'stripe-card',
      fields: toFields({
        secret_key: TEST_KEY,
        webhook_secret: WEBHOOK_SECRET,
        flexible_captures: 'true',
        stand_in_url: `http://127.0.0.1:${port}`,
      }),
    }),
    notify: async (url) => {
      target = url
      tell()
    },
    books: async (database) => {
      const { movements } = (await control('POST', 'books')) as { movements: StripeMovement[] }
      const moved = movements.filter(({ what }) => !what.includes('setup'))
      const entries = moved.map(({ key, what, amount, isCaptured }) => ({
        attempt_id: key,
        operation: what === 'cancel' ? 'void' : what,
        amount,
        is_final: isCaptured,
      }))
      return keep(database, entries)
    },
  }
}

type StripeMovement = {
  readonly key: string
  readonly what: string
  readonly amount: number
  readonly isCaptured: boolean
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

async function pass(fetch: Fetch, request: Request): Promise<Response> {
  const { url, method, headers } = request
  const body = method === 'GET' ? null : Buffer.from(await request.arrayBuffer())
  return fetch(url, { method, headers, ...(body && { body }) })
}

function controlOf(fetch: Fetch) {
  return async (method: 'GET' | 'POST', path: string, body: object = {}): Promise<unknown> => {
    const init = method === 'POST' ? { method, body: JSON.stringify(body) } : { method }
    const answer = await fetch(`http://127.0.0.1/_stand-in/${path}`, init)
    if (!answer.ok) throw new Error(`the stand-in refuses ${path}`)
    return answer.json()
  }
}

function toFields(fields: Readonly<Record<string, string>>): object[] {
  return Object.entries(fields).map(([key, value]) => ({ key, value }))
}

const TABLE = 'books_of_stand_in'

/** Only what a provider has done is a line: a stand-in has no list of what it refused. */
async function keep(database: pg.Client, entries: readonly Entry[]): Promise<string> {
  await database.query(
    `create table if not exists ${TABLE} (
      attempt_id text, transaction_id text, operation text, status text, amount bigint, is_final boolean, reference text, currency text
    )`,
  )
  await database.query(
    `with before as (delete from ${TABLE})
     insert into ${TABLE} (attempt_id, transaction_id, operation, status, amount, is_final)
     select e.attempt_id, a.transaction_id, e.operation, 'approved', e.amount, e.is_final
     from json_to_recordset($1) as e (attempt_id text, operation text, amount bigint, is_final boolean)
     left join attempts a on a.id::text = e.attempt_id`,
    [JSON.stringify(entries)],
  )
  return TABLE
}

export async function startProvider(
  name: ProviderName,
  databaseUrl: string,
  options: FrontOptions = {},
): Promise<Provider> {
  if (name === 'adyen') return startAdyen(options)
  if (name === 'stripe') return startStripe(options)
  return simulated(await startProcessor(databaseUrl, options))
}

function simulated({ port, asked }: Processor): Provider {
  return {
    name: 'simulator',
    port,
    asked,
    reach: (at) => ({
      preload: [FAR_PROCESSOR],
      env: { PROCESSOR_PORT: String(at) },
    }),
    account: () => SIMULATED_ACCOUNT,
    can: { payouts: true, tokens: true, faults: true },
    isSlow: false,
    notify: async () => {},
    books: async () => SIMULATOR_BOOKS,
  }
}
