import { type Context, inTransaction } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as sessions from './store.ts'

/** Ends one session of a user. */
export function endSession(context: Context, userId: string, sessionId: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    if (!(await sessions.remove(tx, userId, sessionId))) throw errors.notFound()
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', {
      type: 'user-session',
      id: sessionId,
      name: tx.actor.name,
    })
  })
}
