import type { CryptogramAnswer } from '#connectors/contract/network-token.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Masked, Vault } from '#vault'
import { askTokenService, findServiceOf } from './find-service.ts'
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

/** Asks once. The answer is kept in memory only. */
export async function askCryptogram(
  scope: Scope,
  engine: Engine,
  token: LiveToken,
  isMerchantInitiated: boolean,
): Promise<CryptogramAnswer> {
  const at = await findServiceOf(scope, engine.providers, token)
  if (!at) return { outcome: 'refused', code: 'no_token_service' }
  const { reference, scheme } = token
  const order = { requestor: requestorOf(token), reference, scheme, isMerchantInitiated }
  return askTokenService(scope, engine, at, { act: 'makeCryptogram', order })
}
