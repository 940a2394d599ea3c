import type { Scope, Tx } from '#platform/database/db.ts'
import type { TokenKind } from '#processing/attempts/store.ts'
import * as attempts from '#processing/attempts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { simulatedTokenServiceId } from './simulated-service-id.ts'
import * as networkTokens from './store.ts'

/** Takes the number out of the vault. From now on the token is not used, whatever its service says. */
export async function dropToken(
  tx: Scope<Tx>,
  vault: Vault,
  token: networkTokens.StoredToken,
): Promise<networkTokens.StoredToken> {
  if (token.vault_token) await vault.remove(tx.db, tx, token.vault_token)
  return networkTokens.update(tx, token, { status: 'deleted', operation: null, vault_token: null })
}

/** Asks the service to delete the token, as an attempt of its own. */
export function queueDeletion(
  tx: Scope<Tx>,
  token: networkTokens.StoredToken,
  dueAt: Date,
): Promise<attempts.Attempt> {
  return attempts.queue(tx, askAbout(token, 'delete-token'), dueAt)
}

/** The card is deleted, and its token with it. The job asks the service. */
export async function dropTokenOf(tx: Scope<Tx>, vault: Vault, paymentMethodId: string): Promise<void> {
  const found = await networkTokens.findCurrent(tx, paymentMethodId)
  const token = found && (await networkTokens.lock(tx, found.id))
  if (!token || token.status === 'deleted' || token.status === 'failed') return
  const dropped = await dropToken(tx, vault, token)
  // If the service has not answered yet, the deletion is queued when it does.
  if (dropped.reference !== null) await queueDeletion(tx, dropped, tx.clock())
  await recordToken(tx, 'deleted', dropped)
}

export function recordToken(
  tx: Scope<Tx>,
  action: 'created' | 'updated' | 'deleted',
  { id, scheme, label }: networkTokens.StoredToken,
): Promise<void> {
  return auditLogs.record(tx, action, { type: 'network-token', id, name: `${scheme} ${label ?? ''}`.trim() })
}

/** An attempt about a token. */
export function askAbout<const Kind extends TokenKind>(token: networkTokens.StoredToken, kind: Kind) {
  const { id, merchant_account_id, scheme } = token
  const service_id = token.service_id ?? simulatedTokenServiceId(merchant_account_id, scheme)
  return { kind, subject_id: id, service_id, amount: 0 }
}
