import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

/** The user whose name was given. Undefined: there is no such user. What was typed is not kept: it may be a password in the wrong field. */
export type Suspect = { readonly id: string; readonly name: string } | undefined

/** PCI DSS 10.2.1.4: the audit log has every failed sign-in, and every lock-out. */
export function recordFailure(context: Context, suspect: Suspect, isLockedNow = false): Promise<void> {
  const { id, name } = suspect ?? { id: 'unknown', name: 'Unknown user' }
  return inTransaction(context, async (tx) => {
    // Without a session, the person is not known.
    const actor = tx.actor.id === null ? { id: null, name: 'Sign-in' } : tx.actor
    const entry = { ...tx, actor, merchantAccountId: null }
    await auditLogs.record(entry, 'created', { type: 'failed-sign-in', id, name })
    if (isLockedNow) await auditLogs.record(entry, 'created', { type: 'lock-out', id, name })
  })
}
