import type { Scope } from '#platform/db.ts'
import { missing } from './missing.ts'
import * as transactions from './store.ts'

/** The payment that a path names. A payment of another account is not found. */
export async function findTransaction(scope: Scope, id: string): Promise<transactions.StoredTransaction> {
  const transaction = await transactions.find(scope, id)
  if (!transaction) throw await missing(scope, id)
  return transaction
}
