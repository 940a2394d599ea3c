import type { Scope } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/once.ts'
import type { Engine } from '#processing/engine.ts'
import { showTransaction } from '../show.ts'
import * as transactions from '../store.ts'
import type { Transaction } from '../wire/transaction.ts'
import { resolveOpenOf } from './resolve.ts'

/** The process that began a payment died. Its caller asks again with the same key, and is told how the payment stands. */
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
