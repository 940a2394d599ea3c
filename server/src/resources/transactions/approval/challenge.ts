import type { IncomingHttpHeaders } from 'node:http'
import { amountText } from '#domain/currency.ts'
import { localeFor } from '#domain/locale.ts'
import type { Scope } from '#platform/db.ts'
import type { Dress } from '#platform/page.ts'
import { html } from '#platform/reference/html.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'
import { amountForMethod } from '../state.ts'
import type { StoredTransaction } from '../store.ts'
import { returnUrl } from './return-url.ts'
import { TEXTS } from './texts.ts'

/** The look of the shop, and the language that the browser asks for. */
export async function findDress(scope: Scope, acceptLanguage: string | undefined): Promise<Dress> {
  return { locale: localeFor(null, acceptLanguage), look: lookOf(await themes.find(scope)) }
}

/** What the sandbox's stand-in for an issuer shows: who asks, how much, and two ways to decide. */
export async function composeChallenge(
  scope: Scope,
  { secrets }: Pick<Engine, 'secrets'>,
  transaction: StoredTransaction,
  headers: IncomingHttpHeaders,
) {
  const dress = await findDress(scope, headers['accept-language'])
  const { payment_method: method } = transaction.document
  const text = TEXTS[dress.locale]
  const account = await merchantAccounts.find(scope, secrets, transaction.merchant_account_id)
  const amount = amountText(amountForMethod(transaction), transaction.currency, dress.locale)
  const content = html`<dl>
<dt>${text.shop}</dt><dd><bdi>${account?.display_name ?? ''}</bdi></dd>
<dt>${text.amount}</dt><dd><bdi>${amount}</bdi></dd>
<dt>${text.card}</dt><dd dir="ltr">${method?.scheme ?? ''} •••• ${method?.label ?? ''}</dd>
</dl>
<form method="post">
<button name="decision" value="approve">${text.yes}</button>
<button name="decision" value="refuse">${text.no}</button>
</form>
<p><small>${text.simulated}</small></p>`
  return { title: text.approve, content, next: returnUrl(transaction), dress }
}
