import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { resolveOpenOf } from '../attempts/resolve.ts'
import { missing } from '../find.ts'
import { showTransaction } from '../show.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import { requireSupport } from './follow-up.ts'

/** Asks the payment service now for the outcome of open attempts, instead of when they are due. */
export async function syncTransaction(
  scope: Scope,
  once: Once,
  engine: Engine,
  id: string,
): Promise<Finished<Transaction>> {
  const before = await transactions.find(scope, id)
  if (!before) throw await missing(scope, id)
  await requireSupport(scope, engine, before, 'sync')
  await resolveOpenOf(scope, engine, id)
  await inTransaction(scope, async (tx) => {
    const context = { status_before: before.status }
    await transactionEvents.record(tx, id, [{ name: 'transaction-sync-event', context }])
  })
  return inFinalTransaction(scope, once, async (tx) => {
    const after = await transactions.find(tx, id)
    if (!after) throw errors.notFound()
    return showTransaction(tx, after)
  })
}
