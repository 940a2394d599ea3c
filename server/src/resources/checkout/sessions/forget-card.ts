import type { Scope, Tx } from '#platform/db.ts'
import type { Vault } from '#vault'
import * as sessions from './store.ts'

/** Everything that was entered is gone, number and code included: it was paid with, or the session has expired. */
export async function forgetCard(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: Pick<sessions.StoredSession, 'id'>,
): Promise<void> {
  for (const token of await sessions.takeEntered(tx, id)) await vault.remove(tx.db, tx, token)
}
