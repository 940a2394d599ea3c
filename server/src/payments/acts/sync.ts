import { inTransaction, type Scope } from '#platform/database/db.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { resolveOpenOf, showAtLast } from '../attempts/resolve.ts'
import { findTransaction } from '../find.ts'
import * as transactionEvents from '../store/events.ts'
import { requireSupport } from './follow-up.ts'

/** Asks the payment service now for the outcome of open attempts, instead of when they are due. */
export async function syncTransaction(
  scope: Scope,
  once: Once,
  engine: Engine,
  id: string,
): Promise<Finished<Transaction>> {
  const before = await findTransaction(scope, id)
  await requireSupport(scope, engine, before, 'sync')
  await resolveOpenOf(scope, engine, id)
  await inTransaction(scope, async (tx) => {
    const context = { status_before: before.status }
    await transactionEvents.record(tx, id, [{ name: 'transaction-sync-event', context }])
  })
  return showAtLast(scope, once, id)
}
