import type { Scope, Tx } from '#platform/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { StoredTransaction } from '../store.ts'

/**
 * An outcome that is learned after its operation was answered is a change of its own. Its actor is the one through whom
 * it was learned: the caller of a sync, a provider that notifies us, or the job that asks.
 */
export function recordOutcome(tx: Scope<Tx>, { id, currency, amount }: StoredTransaction): Promise<void> {
  return auditLogs.record(tx, 'updated', { type: 'transaction', id, name: `${currency} ${amount}` })
}
