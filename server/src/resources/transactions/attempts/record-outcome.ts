import type { Scope, Tx } from '#platform/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Settled } from './settle.ts'

/**
 * An outcome that is learned after its operation was answered is a change of its own. Its actor is the one through whom
 * it was learned: the caller of a sync, a provider that notifies us, or the job that asks.
 */
export async function recordOutcome(tx: Scope<Tx>, { isNews, transaction }: Settled): Promise<void> {
  if (!isNews) return
  const { id, currency, amount } = transaction
  await auditLogs.record(tx, 'updated', { type: 'transaction', id, name: `${currency} ${amount}` })
}
