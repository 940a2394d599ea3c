import type { IncomingHttpHeaders } from 'node:http'
import { localeFor } from '#domain/locale.ts'
import type { Scope } from '#platform/db.ts'
import type { Dress } from '#platform/page.ts'
import { html } from '#platform/reference/html.ts'
import type { Engine } from '#processing/engine.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'
import type { StoredTransaction } from '../store.ts'
import { returnUrl } from './return-url.ts'
import { summarize } from './summary.ts'
import { TEXTS } from './texts.ts'

/** The look of the shop, and the language that the browser asks for. */
export async function findDress(scope: Scope, acceptLanguage: string | undefined): Promise<Dress> {
  return { locale: localeFor(null, acceptLanguage), look: lookOf(await themes.find(scope)) }
}

/** What the sandbox's stand-in for an issuer shows: who asks, how much, and two ways to decide. */
export async function composeChallenge(
  scope: Scope,
  engine: Pick<Engine, 'secrets'>,
  transaction: StoredTransaction,
  headers: IncomingHttpHeaders,
) {
  const dress = await findDress(scope, headers['accept-language'])
  const { payment_method: method } = transaction.document
  const text = TEXTS[dress.locale]
  const content = html`<dl>
${await summarize(scope, engine, transaction, dress)}
<dt>${text.card}</dt><dd dir="ltr">${method?.scheme ?? ''} •••• ${method?.label ?? ''}</dd>
</dl>
<form method="post">
<button name="decision" value="approve">${text.yes}</button>
<button name="decision" value="refuse">${text.no}</button>
</form>
<p><small>${text.simulated}</small></p>`
  return { title: text.approve, content, next: returnUrl(transaction), dress }
}
