import type { Scope } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { CryptogramAnswer } from '#processing/token-service.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type { LiveToken } from './store.ts'

/** Asks once. The answer is kept in memory only, and the caller clears it. */
export async function askCryptogram(
  scope: Scope,
  { tokenService }: Engine,
  { scheme, reference }: LiveToken,
  isMerchantInitiated: boolean,
): Promise<CryptogramAnswer> {
  const requestor = await merchantAccounts.requestorOf(scope, scheme)
  if (!tokenService || !requestor) return { outcome: 'refused', code: 'no_ids_at_the_token_service' }
  return tokenService.makeCryptogram({ requestor, reference, isMerchantInitiated })
}
