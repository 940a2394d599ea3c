import type { Scope, Tx } from '#platform/db.ts'
import type { Vault } from '#vault'
import * as sessions from './store.ts'

/** The security code is gone with the first answer to a payment, and after minutes in any case. */
export async function forgetCode(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: Pick<sessions.StoredSession, 'id'>,
): Promise<void> {
  for (const token of await sessions.takeCode(tx, id)) await vault.remove(tx.db, tx, token)
}
