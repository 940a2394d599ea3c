import { amountText } from '#domain/currency.ts'
import { amountForMethod } from '#payments/state.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Dress } from '#platform/http/page.ts'
import { type Html, html } from '#platform/reference/html.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { TEXTS } from '#words/approval.ts'

/**
 * Who asks for the payment, and how much it is. Names of shops are isolated, so that marks for the direction of text
 * change no line but their own.
 */
export async function summarize(
  scope: Scope,
  { secrets }: Pick<Engine, 'secrets'>,
  transaction: StoredTransaction,
  { locale }: Dress,
): Promise<Html> {
  const text = TEXTS[locale]
  const account = await merchantAccounts.find(scope, secrets, transaction.merchant_account_id)
  const amount = amountText(amountForMethod(transaction), transaction.currency, locale)
  return html`<dt>${text.shop}</dt><dd><bdi>${account?.display_name ?? ''}</bdi></dd>
<dt>${text.amount}</dt><dd><bdi>${amount}</bdi></dd>`
}
