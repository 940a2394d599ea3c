import type { IncomingHttpHeaders } from 'node:http'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { localeFor } from '#domain/locale.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Dress } from '#platform/http/page.ts'
import { html } from '#platform/reference/html.ts'
import type { Engine } from '#processing/engine.ts'
import * as checkoutPages from '#resources/checkout/sessions/page/store.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'
import { TEXTS } from '#words/approval.ts'
import { returnUrl } from './return-url.ts'
import { summarize } from './summary.ts'

/**
 * The look of the shop, and the language of the page on which the buyer pays, or else the one that the browser asks for. A
 * shop that shows that page in a frame shows this one within it.
 */
export async function findDress(
  scope: Scope,
  { checkout_session_id: id }: StoredTransaction,
  acceptLanguage: string | undefined,
): Promise<Dress> {
  const page = id === null ? undefined : await checkoutPages.find(scope, id)
  return {
    locale: localeFor(page?.locale ?? null, acceptLanguage),
    look: lookOf(await themes.find(scope)),
    framedBy: page?.allowed_origins ?? [],
  }
}

/** What the sandbox's stand-in for an issuer shows: who asks, how much, and two ways to decide. */
export async function composeChallenge(
  scope: Scope,
  engine: Pick<Engine, 'secrets'>,
  transaction: StoredTransaction,
  headers: IncomingHttpHeaders,
) {
  const dress = await findDress(scope, transaction, headers['accept-language'])
  const { payment_method: method } = transaction.document
  const text = TEXTS[dress.locale]
  const content = html`<dl>
${await summarize(scope, engine, transaction, dress)}
<dt>${text.card}</dt><dd dir="ltr">${CARD_SCHEMES[(method?.scheme ?? 'other') as CardScheme]} •••• ${method?.label ?? ''}</dd>
</dl>
<form method="post">
<button name="decision" value="approve">${text.yes}</button>
<button name="decision" value="refuse">${text.no}</button>
</form>
<p><small>${text.simulated}</small></p>`
  return { title: text.approve, content, next: returnUrl(transaction), dress }
}
