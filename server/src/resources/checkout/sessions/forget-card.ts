import type { Scope, Tx } from '#platform/database/db.ts'
import type { Vault } from '#vault'
import * as sessions from './store.ts'

/**
 * Deletes everything that was entered, number and code included, after a payment or when the session has
 * expired.
 */
export async function forgetCard(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: Pick<sessions.StoredSession, 'id'>,
): Promise<void> {
  for (const token of await sessions.takeEntered(tx, id)) await vault.remove(tx.db, tx, token)
}

/** Deletes the security code, with the first answer to a payment or after minutes. */
export async function forgetCode(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: Pick<sessions.StoredSession, 'id'>,
): Promise<void> {
  for (const token of await sessions.takeCode(tx, id)) await vault.remove(tx.db, tx, token)
}
