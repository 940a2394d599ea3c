import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { showTransaction } from '../show.ts'
import * as transactions from '../store/payments.ts'
import { resolveOpenOf } from './resolve.ts'

/**
 * Continues a payment whose process died, for a caller who retries with the same key. Answers with the
 * payment's state.
 */
export async function resume(
  scope: Scope,
  once: Once,
  engine: Engine,
  id: string,
): Promise<Finished<Transaction>> {
  await resolveOpenOf(scope, engine, id)
  return inFinalTransaction(scope, once, async (tx) => {
    const transaction = await transactions.find(tx, id)
    if (!transaction) throw errors.notFound()
    return showTransaction(tx, transaction)
  })
}
