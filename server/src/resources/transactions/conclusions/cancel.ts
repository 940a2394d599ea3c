import type { Scope, Tx } from '#platform/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as state from '../state.ts'
import type * as transactions from '../store.ts'
import { timedOut } from './approval-time.ts'
import type { Case } from './case.ts'
import { endUnpaid } from './end-unpaid.ts'

/** The provider cancelled a pending payment, which also decides its authorization. */
export async function concludeCancel(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const change = state.afterCancel(transaction, answer)
  if (!change.status) return transaction
  for (const open of await attempts.openOf(tx, transaction.id)) {
    if (open.kind === 'authorize' && open.id !== attempt.id) {
      await attempts.change(tx, open, { state: 'failed', due_at: null })
    }
  }
  const now = tx.clock()
  const late = timedOut(transaction, { by: attempt.created_at, now })
  return endUnpaid(tx, engine, transaction, {
    ...change,
    ...(late ?? { outcome: { canceled_at: now.toISOString() } }),
  })
}
