import type { Scope, Tx } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import type { Case } from './types.ts'

export async function concludeIncrement(
  tx: Scope<Tx>,
  _engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  if (answer.outcome !== 'approved') return transaction
  const change = state.afterIncrement(transaction, attempt.amount, answer)
  const after = await transactions.change(tx, transaction, change)
  await events.publish(tx, ['transaction.modified'], toTarget(after))
  return after
}
