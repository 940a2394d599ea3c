import type { Wallet } from '#domain/pay-page.ts'
import { googleFrameUrl } from '#pages/google-pay.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { signSession } from '#resources/digital-wallets/google-gateway.ts'
import * as wallets from '#resources/digital-wallets/store.ts'

/** Google's own button, if the operator has a host for it and the merchant wants it. */
export async function googleButton(
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
