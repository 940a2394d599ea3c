import { localeFor } from '#domain/locale.ts'
import type { OrderFacts, PageFacts } from '#domain/pay-page.ts'
import { EXAMPLE_PATH } from '#pages/verify.ts'
import type { Context } from '#platform/database/db.ts'
import { buyerUrl, type Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import type { Preview } from '#resources/merchant-accounts/theme/preview-url.ts'
import { logoUrl } from '#resources/merchant-accounts/theme/show.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'

/** An example. There is no bill behind it, so whatever the page sends is answered with 404. */
const EXAMPLE = {
  path: EXAMPLE_PATH,
  is_preview: true,
  kind: 'checkout-session',
  amount: 8_640,
  currency: 'EUR',
  minor_units: 2,
  country: 'DE',
  asks: [],
  cart: [
    { name: 'Canvas bag', quantity: 2, total: '5180' },
    { name: 'Enamel mug', quantity: 1, total: '2460' },
    { name: 'Delivery', quantity: 1, total: '1000' },
  ],
  takes_cards: true,
  saved_cards: [],
  asks_code: true,
  methods: [],
  wallets: [],
  takes_gift_cards: false,
  has_buyer: true,
  device_url: null,
  save: 'ask',
  state: { status: 'open', tries: 0, amount: 8_640, currency: 'EUR', waits_until: null, own: null },
} as const satisfies Partial<OrderFacts>

const NO_MERCHANT: OrderFacts['merchant'] = {
  name: 'Example shop',
  url: null,
  logo_url: null,
  banner_url: null,
  terms_url: null,
  message: null,
}

/** The example order in the look of an account. Undefined: there is no such account. */
export async function previewFacts(
  context: Context,
  engine: Engine,
  { merchantAccountId, expiresAt }: Preview,
  acceptLanguage: string | undefined,
): Promise<PageFacts | undefined> {
  const scope = { ...context, merchantAccountId }
  const account = await merchantAccounts.find(scope, engine.secrets, merchantAccountId)
  if (!account) return undefined
  const theme = await themes.find(scope)
  const logo_url = logoUrl(theme, buyerUrl(engine))
  return {
    locale: localeFor(null, acceptLanguage),
    look: lookOf(theme),
    trouble: null,
    embed: null,
    order: {
      ...EXAMPLE,
      merchant: { ...NO_MERCHANT, name: account.display_name, logo_url },
      expires_at: expiresAt.toISOString(),
    },
  }
}

const HOUR_MS = 3_600_000

/** The example order in the usual look. It tells nothing about this installation, so everyone may see it. */
export function exampleFacts(now: Date, acceptLanguage: string | undefined): PageFacts {
  return {
    locale: localeFor(null, acceptLanguage),
    look: lookOf(undefined),
    trouble: null,
    embed: null,
    order: {
      ...EXAMPLE,
      merchant: NO_MERCHANT,
      expires_at: new Date(now.getTime() + HOUR_MS).toISOString(),
    },
  }
}
