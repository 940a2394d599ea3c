import type { Scope, Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { StoredTransaction } from '../store/payments.ts'

/**
 * An outcome that we learn after the operation was answered gets its own audit entry. Its actor is the
 * source: the caller of a sync, the provider that notifies us, or the job.
 */
export function recordOutcome(
  tx: Scope<Tx>,
  { id, currency, amount }: Pick<StoredTransaction, 'id' | 'currency' | 'amount'>,
): Promise<void> {
  return auditLogs.record(tx, 'updated', { type: 'transaction', id, name: `${currency} ${amount}` })
}
