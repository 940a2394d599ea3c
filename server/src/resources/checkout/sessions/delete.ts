import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import * as sessions from './store.ts'

/** Deletes a session and everything that was entered in it. */
export function deleteSession(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const session = await sessions.lock(tx, id)
    if (!session) throw errors.notFound()
    // A payment that is under way may still need the card: the session is hidden at once, and a job deletes
    // the card later.
    if (session.transaction_id && session.method) await sessions.expire(tx, id)
    else {
      for (const token of sessions.tokensOf(session)) await vault.remove(tx.db, tx, token)
      await sessions.remove(tx, id)
    }
    await auditLogs.record(tx, 'deleted', { type: 'checkout-session', id, name: id })
  })
}
