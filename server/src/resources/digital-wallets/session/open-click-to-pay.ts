import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import * as sessions from '#resources/checkout/sessions/store.ts'
import { askWallet } from './ask-wallet.ts'
import { displayNameOf, findWallet, settingOf } from './find-wallet.ts'
import { ClickToPaySession } from './schemas.ts'

/** For a page that has a checkout session: by what Click to Pay knows the shop. */
export async function openClickToPaySession(
  context: Context,
  once: Once,
  providers: Providers,
  checkoutSessionId: string,
): Promise<Finished<ClickToPaySession>> {
  const checkout = await sessions.findForBrowser(context, checkoutSessionId)
  if (!checkout) throw errors.notFound()
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

const NO_ID =
  'The wallet does not say by what Click to Pay knows this shop. Set extra_configuration.digital_payment_application_id.'
