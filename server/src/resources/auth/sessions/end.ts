import type { Caller } from '#platform/access/auth.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as sessions from './store.ts'

/** Ends all sessions of a user but the one of this request. */
export async function endOtherSessions(tx: Context<Tx>, caller: Caller): Promise<void> {
  const ended = await sessions.removeOthers(tx, caller.id, caller.session?.sessionId ?? '')
  for (const id of ended) await record(tx, id)
}

/** Ends one session of a user. */
export function endSession(context: Context, userId: string, sessionId: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    if (!(await sessions.remove(tx, userId, sessionId))) throw errors.notFound()
    await record(tx, sessionId)
  })
}

function record(tx: Context<Tx>, id: string): Promise<void> {
  const about = { type: 'user-session', id, name: tx.actor.name }
  return auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', about)
}
