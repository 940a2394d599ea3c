import { toHostName } from '#domain/domain-name.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { realTime } from '#platform/process/clock.ts'
import { gatewayMerchantIdOf, signSession } from '../google-gateway.ts'
import type { GooglePaySession } from './schemas.ts'

/** What Google's button needs of us. It needs neither a wallet nor a registered domain. */
export async function openGoogleSession(
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
