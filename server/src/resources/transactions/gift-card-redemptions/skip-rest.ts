import type { Scope, Tx } from '#platform/db.ts'
import type { StoredTransaction } from '../store.ts'
import * as redemptions from './store.ts'

/** Gift cards that were not asked yet are not asked any more. */
export async function skipRest(tx: Scope<Tx>, { id }: StoredTransaction): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status === 'created') await redemptions.change(tx, redemption, { status: 'skipped' })
  }
}
