import { toHostName } from '#domain/domain-name.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { Static, TSchema } from '#platform/http/type.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Providers } from '#processing/provider.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import { inquire } from '#resources/payment-service-definitions/inquire.ts'
import type { Vault } from '#vault'
import { gatewayMerchantIdOf, signSession } from '../google-gateway.ts'
import type { StoredWallet } from '../store.ts'
import { hostComplaints, pinnedValue, validationUrlComplaints, valueComplaints } from './check-session.ts'
import { displayNameOf, findWallet, settingOf } from './find-wallet.ts'
import { openAppleSession } from './open-apple.ts'
import {
  CompletedPazeSession,
  CompletePazeSession,
  CreatedPazeSession,
  CreatePazeSession,
  PazeAccess,
  PazeClient,
  PazeSession,
  PazeSessionRequest,
  ReviewedPazeSession,
  ReviewPazeSession,
} from './paze-schemas.ts'
import {
  ApplePaySession,
  ApplePaySessionRequest,
  ClickToPaySession,
  ClickToPaySessionRequest,
  GooglePaySession,
  GooglePaySessionRequest,
} from './schemas.ts'

const REFUSED = 'the provider of the wallet refuses it: begin again with a new session'

const NO_IDS =
  'The wallet does not say by what Paze knows this merchant. Set client_id and profile_id of extra_configuration.'

const NO_ID =
  'The wallet does not say by what Click to Pay knows this shop. Set extra_configuration.digital_payment_application_id.'

const operation = operationsOf({
  tag: 'Digital wallets: sessions',
  concerns: 'merchant-account',
  scopes: 'digital-wallets',
})

type Needs = { readonly secrets: Secrets; readonly vault: Vault; readonly providers: Providers }

export function digitalWalletSessionRoutes(needs: Needs): Operation[] {
  return [...pageRoutes(needs), ...pazeRoutes(needs), ...pazeAppRoutes(needs)]
}

function pageRoutes({ secrets, vault, providers }: Needs): Operation[] {
  return [
    operation({
      id: 'create_google_pay_digital_wallet_session',
      route: 'POST /digital-wallets/google/session',
      summary: 'Create Google Pay session',
      description:
        'What the page hands to Google’s button. It needs neither a wallet nor a registered domain.',
      embed: true,
      limit: 'browser',
      body: GooglePaySessionRequest,
      check: ({ body }) => hostComplaints('/origin_domain', body.origin_domain),
      responses: { 200: GooglePaySession },
      handler: (call) => openGoogleSession(scopeOf(call), call.once, secrets, call.body.origin_domain),
    }),

    operation({
      id: 'create_apple_pay_digital_wallet_session',
      route: 'POST /digital-wallets/apple/session',
      summary: 'Create Apple Pay session',
      description:
        'Asks Apple with the wallet’s merchant identity, for a page on a registered domain. In a sandbox, a simulated Apple answers.',
      embed: true,
      limit: 'browser',
      body: ApplePaySessionRequest,
      check: ({ body }) => [
        ...validationUrlComplaints(body.validation_url),
        ...hostComplaints('/domain_name', body.domain_name),
      ],
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: ApplePaySession },
      handler: (call) => openAppleSession(scopeOf(call), call.once, { providers, vault }, call.body),
    }),

    operation({
      id: 'create_click_to_pay_digital_wallet_session',
      route: 'POST /digital-wallets/click-to-pay/session',
      summary: 'Create Click to Pay session',
      description: 'For the buyer’s browser. The id of its checkout session stands in for a token.',
      scope: null,
      limit: 'browser',
      isThere: async (context, { checkout_session_id: id }) =>
        (await checkoutSessions.findForBrowser(context, id)) !== undefined,
      body: ClickToPaySessionRequest,
      errors: ['not_found', 'gateway_timeout', 'bad_gateway'],
      responses: { 200: ClickToPaySession },
      handler: ({ context, once, body }) =>
        openClickToPaySession(context, once, providers, body.checkout_session_id),
    }),
  ]
}

function pazeRoutes({ providers }: Needs): Operation[] {
  return [
    operation({
      id: 'create_paze_digital_wallet_session',
      route: 'POST /digital-wallets/paze/session',
      summary: 'Create Paze session',
      description:
        'By what Paze knows the merchant. With the source `mobile`, also what an app needs for the next steps.',
      embed: true,
      limit: 'browser',
      body: PazeSessionRequest,
      check: ({ body }) => hostComplaints('/domain_name', body.domain_name),
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: PazeSession },
      handler: (call) => openPazeSession(scopeOf(call), call.once, providers, call.body),
    }),
  ]
}

function pazeAppRoutes({ providers }: Needs): Operation[] {
  return [
    operation({
      id: 'create_paze_mobile_session',
      route: 'POST /digital-wallets/paze/session/create',
      summary: 'Create Paze mobile session',
      description:
        'The answer names the page of Paze that the app opens. An amount that the token pins is filled in.',
      embed: true,
      limit: 'browser',
      body: CreatePazeSession,
      check: ({ body }, about) => valueComplaints(body.transactionValue, about),
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: CreatedPazeSession },
      handler: (call) => {
        const body = {
          ...call.body,
          transactionValue: call.body.transactionValue ?? pinnedValue(call.caller),
        }
        return passToPaze(scopeOf(call), call.once, providers, {
          step: 'create',
          body,
          answer: CreatedPazeSession,
        })
      },
    }),

    operation({
      id: 'review_paze_mobile_session',
      route: 'POST /digital-wallets/paze/session/review',
      summary: 'Review Paze mobile session',
      description: 'What the buyer chose on Paze’s page: card, addresses and contact.',
      embed: true,
      limit: 'browser',
      body: ReviewPazeSession,
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: ReviewedPazeSession },
      handler: ({ body, ...call }) =>
        passToPaze(scopeOf(call), call.once, providers, {
          step: 'review',
          body,
          answer: ReviewedPazeSession,
        }),
    }),

    operation({
      id: 'complete_paze_mobile_session',
      route: 'POST /digital-wallets/paze/session/complete',
      summary: 'Complete Paze mobile session',
      description: 'The sealed card of the buyer, to pay with. An amount that the token pins is filled in.',
      embed: true,
      limit: 'browser',
      body: CompletePazeSession,
      check: ({ body }, about) => valueComplaints(body.transactionValue, about),
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: CompletedPazeSession },
      handler: (call) => {
        const body = {
          ...call.body,
          transactionValue: call.body.transactionValue ?? pinnedValue(call.caller),
        }
        return passToPaze(scopeOf(call), call.once, providers, {
          step: 'complete',
          body,
          answer: CompletedPazeSession,
        })
      },
    }),
  ]
}

/** For a page that has a checkout session: by what Click to Pay knows the shop. */
async function openClickToPaySession(
  context: Context,
  once: Once,
  providers: Providers,
  checkoutSessionId: string,
): Promise<Finished<ClickToPaySession>> {
  const checkout = orNotFound(await checkoutSessions.findForBrowser(context, checkoutSessionId))
  const scope: Scope = { ...context, merchantAccountId: checkout.merchant_account_id }
  const session = await applicationOf(scope, providers)
  return inFinalTransaction(scope, once, async () => session)
}

/** The schemes give a shop its id when they enrol it. In a sandbox, the simulator does. */
async function applicationOf(scope: Scope, providers: Providers): Promise<ClickToPaySession> {
  const wallet = await findWallet(scope, 'click-to-pay')
  const name = displayNameOf(wallet)
  const id = settingOf(wallet, 'digital_payment_application_id')
  if (id !== undefined) {
    return { digital_payment_application_id: id, digital_payment_application_name: name }
  }
  const { clickToPayUrl: url } = providers.wallets
  if (url === null) throw errors.refused(NO_ID)
  const body = { reference: wallet.id, name }
  return askWallet(providers, { url: `${url}/applications`, body, answer: ClickToPaySession })
}

/** What Google's button needs of us. It needs neither a wallet nor a registered domain. */
async function openGoogleSession(
  scope: Scope,
  once: Once,
  secrets: Secrets,
  originDomain: string,
): Promise<Finished<GooglePaySession>> {
  const { merchantAccountId } = scope
  const origin = toHostName(originDomain) ?? originDomain
  const token = await signSession(secrets, { merchantAccountId, origin, now: realTime(scope.clock) })
  return inFinalTransaction(scope, once, async () => ({
    gateway_merchant_id: gatewayMerchantIdOf(merchantAccountId),
    token,
  }))
}

type Message<Schema extends TSchema> = {
  readonly step: 'create' | 'review' | 'complete'
  readonly body: object
  readonly answer: Schema
}

/** A step of an app's session. Paze judges the access token and the code; we only pass them on. */
async function passToPaze<Schema extends TSchema>(
  scope: Scope,
  once: Once,
  providers: Providers,
  { step, body, answer }: Message<Schema>,
): Promise<Finished<Static<Schema>>> {
  await findWallet(scope, 'paze')
  const told = await askWallet(providers, { url: `${pazeUrlOf(providers)}/sessions/${step}`, body, answer })
  return inFinalTransaction(scope, once, async () => told)
}

/** By what Paze knows the merchant; for an app also what it needs to ask Paze. */
async function openPazeSession(
  scope: Scope,
  once: Once,
  providers: Providers,
  { source, domain_name: domain }: PazeSessionRequest,
): Promise<Finished<PazeSession>> {
  const wallet = await findWallet(scope, 'paze')
  refuseUnregistered(wallet, domain ?? undefined)
  const client = await clientOf(providers, wallet)
  const session = source === 'mobile' ? { ...client, ...(await accessFor(providers, client.id)) } : client
  return inFinalTransaction(scope, once, async () => session)
}

function refuseUnregistered({ domain_names }: StoredWallet, domain: string | undefined): void {
  if (domain === undefined || domain_names.length === 0) return
  if (domain_names.includes(toHostName(domain) ?? domain)) return
  const message = 'is not among the domains of the wallet: PUT /digital-wallets/{id} with its domain_names'
  throw errors.invalid(inBody('/domain_name', 'value_error.not_found', message))
}

/** Paze gives a merchant its ids when it enrols. In a sandbox, the simulator does. */
async function clientOf(providers: Providers, wallet: StoredWallet) {
  const name = displayNameOf(wallet)
  const id = settingOf(wallet, 'client_id')
  const profileId = settingOf(wallet, 'profile_id')
  if (id !== undefined && profileId !== undefined) return { id, name, profileId }
  const { pazeUrl } = providers.wallets
  if (pazeUrl === null) throw errors.refused(NO_IDS)
  const body = { reference: wallet.id, name }
  return askWallet(providers, { url: `${pazeUrl}/clients`, body, answer: PazeClient })
}

function accessFor(providers: Providers, clientId: string) {
  const url = `${pazeUrlOf(providers)}/access-tokens`
  return askWallet(providers, { url, body: { clientId }, answer: PazeAccess })
}

function pazeUrlOf({ wallets }: Providers): string {
  if (wallets.pazeUrl !== null) return wallets.pazeUrl
  throw errors.refused(
    'There is no connection to Paze for apps in production yet. Use the session of a page.',
  )
}

type Question<Schema extends TSchema> = {
  readonly url: string
  readonly body: object
  /** An answer of any other form is unusable. */
  readonly answer: Schema
}

type Reply<Schema extends TSchema> = { readonly answer: Static<Schema> } | { readonly refused: string }

/** Asks the provider of a wallet. What it refuses is named to the caller by its field. */
async function askWallet<Schema extends TSchema>(
  providers: Providers,
  { url, body, answer: schema }: Question<Schema>,
): Promise<Static<Schema>> {
  const reply = await inquire(providers, {}, async ({ fetch }): Promise<Reply<Schema>> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const told = (await response.json()) as { field?: unknown }
    if (response.status === 400) return { refused: String(told.field ?? '') }
    if (response.status !== 200 || complaintsAbout('body', schema, told).length > 0)
      throw new Error('unusable')
    return { answer: told as Static<Schema> }
  })
  if ('answer' in reply) return reply.answer
  const pointer = /^[\w/]{1,100}$/.test(reply.refused) ? `/${reply.refused}` : ''
  throw errors.invalid(inBody(pointer, 'value_error.conflict', REFUSED))
}
