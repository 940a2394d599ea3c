import type { Engine } from '#processing/engine.ts'
import type { CryptogramAnswer } from '#processing/token-service.ts'
import { type LiveToken, requestorOf } from './store.ts'

/** Asks once. The answer is kept in memory only, and the caller clears it. */
export async function askCryptogram(
  { tokenService }: Engine,
  token: LiveToken,
  isMerchantInitiated: boolean,
): Promise<CryptogramAnswer> {
  if (!tokenService) return { outcome: 'refused', code: 'no_token_service' }
  const { reference } = token
  return tokenService.makeCryptogram({ requestor: requestorOf(token), reference, isMerchantInitiated })
}
