import { BUYER_FIELDS, type BuyerField, isBuyerField } from '#connectors/contract/buyer-fields.ts'
import { minorUnitsOf } from '#domain/currency.ts'
import { localeFor } from '#domain/locale.ts'
import type { EnteredField, OrderFacts, PageFacts, PageState, SavedCard, Wallet } from '#domain/pay-page.ts'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { googleFrameUrl } from '#pages/google-pay.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { buyerUrl, type Engine } from '#processing/engine.ts'
import { findDeviceScripts } from '#resources/anti-fraud-services/device/serve.ts'
import { signSession } from '#resources/digital-wallets/google-gateway.ts'
import * as wallets from '#resources/digital-wallets/store.ts'
import { findActiveService } from '#resources/gift-card-services/find-active.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import { logoUrl } from '#resources/merchant-accounts/theme/show.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'
import { lineTotal } from '#resources/payment-links/cart.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { listPaymentOptions } from '#resources/payment-options/list.ts'
import type { PaymentOption } from '#resources/payment-options/schemas.ts'
import { type Bill, isAllowed } from './bill.ts'

export type Shown = {
  readonly state: PageState
  readonly acceptLanguage: string | undefined
  /** The origin that asks for the page in a frame. */
  readonly embed: unknown
}

/** Everything that the page of a bill needs to know. It goes into the page, so the page asks for nothing before it shows. */
export async function factsOf(
  context: Context,
  engine: Engine,
  bill: Bill,
  { state, acceptLanguage, embed }: Shown,
): Promise<PageFacts> {
  const scope: Scope = { ...context, merchantAccountId: bill.merchantAccountId }
  const theme = await themes.find(scope)
  return {
    locale: localeFor(bill.page.locale, acceptLanguage),
    look: lookOf(theme, bill.page.color),
    trouble: null,
    embed: isAllowed(bill, embed) ? embed : null,
    order: {
      path: new URL(bill.url).pathname,
      kind: bill.kind,
      amount: bill.amount,
      currency: bill.currency,
      minor_units: minorUnitsOf(bill.currency) ?? null,
      country: bill.country,
      asks: bill.asks,
      cart: bill.cart.map((item) => ({
        name: item.name,
        quantity: item.quantity,
        total: String(lineTotal(item)),
      })),
      expires_at: bill.expiresAt.toISOString(),
      merchant: await merchantOf(scope, engine, bill, logoUrl(theme, buyerUrl(engine))),
      ...(await waysToPay(scope, engine, bill)),
      device_url: await deviceUrl(scope, engine),
      is_preview: false,
      state,
    },
  }
}

async function deviceUrl(scope: Scope, engine: Engine): Promise<string | null> {
  const scripts = await findDeviceScripts(scope, engine)
  const query = new URLSearchParams({ merchant_account_id: scope.merchantAccountId })
  return scripts.length > 0 ? `/f.html?${query}` : null
}

/** For a page without an order. */
export function troubleFacts(
  trouble: NonNullable<PageFacts['trouble']>,
  acceptLanguage: string | undefined,
): PageFacts {
  return {
    locale: localeFor(null, acceptLanguage),
    look: lookOf(undefined),
    order: null,
    trouble,
    embed: null,
  }
}

async function merchantOf(
  scope: Scope,
  { secrets }: Engine,
  { page }: Bill,
  logo_url: string | null,
): Promise<OrderFacts['merchant']> {
  const account = await merchantAccounts.find(scope, secrets, scope.merchantAccountId)
  return {
    name: page.merchantName ?? account?.display_name ?? '',
    url: page.merchantUrl ?? page.returnUrl,
    logo_url,
    banner_url: page.bannerUrl,
    terms_url: page.termsUrl,
    message: page.message,
  }
}

type Ways = Pick<
  OrderFacts,
  | 'takes_cards'
  | 'saved_cards'
  | 'asks_code'
  | 'methods'
  | 'wallets'
  | 'takes_gift_cards'
  | 'has_buyer'
  | 'save'
>

/** How this bill can be paid: by what the account's services take, and by what its buyer has stored. */
async function waysToPay(scope: Scope, engine: Engine, bill: Bill): Promise<Ways> {
  const { amount, currency, country, payment } = bill
  const { providers, publicUrl } = engine
  const needs = { connectors: providers.connectors, publicUrl }
  const request = { amount, currency, country, locale: 'en' }
  const { items } = (await listPaymentOptions(scope, UNKEYED, needs, request)).answer
  const takesCards = items.some(({ method }) => method === 'card')
  const giftCards = await findActiveService(scope, providers)
  return {
    takes_cards: takesCards,
    saved_cards: takesCards && payment.buyerId !== null ? await savedCards(scope, payment.buyerId) : [],
    asks_code: payment.asksCode,
    methods: items.filter((option) => isOffered(option, country)).map(toMethod),
    wallets: await Promise.all(
      items
        .flatMap(toWallet)
        .map(async (wallet) =>
          wallet.method === 'googlepay' ? { ...wallet, ...(await googleButton(scope, engine)) } : wallet,
        ),
    ),
    takes_gift_cards: giftCards !== undefined && amount > 0,
    has_buyer: payment.buyerId !== null,
    save: payment.store,
  }
}

/** Google's own button, if the operator has a host for it and the merchant wants it. */
async function googleButton(
  scope: Scope,
  { walletUrl, secrets }: Engine,
): Promise<Pick<Wallet, 'merchant_id' | 'button'>> {
  const registered = await wallets.list(scope, [scope.merchantAccountId])
  const google = registered.find(({ provider }) => provider === 'google')
  const { merchant_id, official_button } = google?.extra_configuration ?? {}
  const known = { merchant_id: typeof merchant_id === 'string' ? merchant_id : null }
  if (!walletUrl || official_button !== true) return { ...known, button: null }
  const origin = new URL(walletUrl).hostname
  const { merchantAccountId } = scope
  const authJwt = await signSession(secrets, { merchantAccountId, origin, now: scope.clock() })
  return {
    ...known,
    button: { url: googleFrameUrl(walletUrl), merchant_info: { merchantOrigin: origin, authJwt } },
  }
}

const REDIRECTS: ReadonlySet<string> = new Set(REDIRECT_METHODS)

/** A redirect method needs to know the country. */
function isOffered({ method, mode }: PaymentOption, country: string | null): boolean {
  return mode === 'redirect' && country !== null && REDIRECTS.has(method)
}

function toMethod({ method, label, icon_url, context }: PaymentOption): OrderFacts['methods'][number] {
  const required = context && 'required_fields' in context ? context.required_fields : null
  const fields = Object.keys(required ?? {})
    .filter(isBuyerField)
    .map(toField)
  return { method, label: label ?? method, icon_url, fields }
}

function toField(name: BuyerField): EnteredField {
  const { pattern, lengthMax, isNumeric } = BUYER_FIELDS[name]
  return { name, pattern: pattern.source, length_max: lengthMax, is_numeric: isNumeric }
}

function toWallet({ method, context }: PaymentOption): Wallet[] {
  if ((method !== 'applepay' && method !== 'googlepay') || !context || !('merchant_name' in context))
    return []
  const gateway = 'gateway' in context ? context : null
  return [
    {
      method,
      merchant_name: String(context.merchant_name),
      schemes: context.supported_schemes ?? [],
      gateway: gateway?.gateway ?? null,
      gateway_merchant_id: gateway?.gateway_merchant_id ?? null,
      merchant_id: null,
      button: null,
    },
  ]
}

async function savedCards(scope: Scope, buyerId: string): Promise<SavedCard[]> {
  const stored = await paymentMethods.listOfBuyer(scope, buyerId)
  return stored.flatMap(({ id, scheme, label, expiration_date, status, mode }) =>
    mode === 'card' && status === 'succeeded' && scheme ? [{ id, scheme, label, expiration_date }] : [],
  )
}
