import { inTransaction, type Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { CryptogramAnswer } from '#processing/token-service.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Masked, Vault } from '#vault'
import { type LiveToken, requestorOf } from './store.ts'

/** The only way to the number of a token. The audit log records this before the number is read. */
export function revealToken<Result>(
  scope: Scope,
  vault: Vault,
  { token, purpose }: { readonly token: LiveToken; readonly purpose: string },
  work: (number: Masked) => Promise<Result>,
): Promise<Result> {
  const { id, vault_token, fingerprint, payment_method_id: owner } = token
  const onReveal = () =>
    inTransaction(scope, (tx) =>
      auditLogs.record(tx, 'revealed', { type: 'network-token', id, name: purpose }),
    )
  const { merchantAccountId } = scope
  return vault.reveal(
    scope.db,
    { merchantAccountId, token: vault_token, fingerprint, owner, purpose, onReveal },
    work,
  )
}

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
