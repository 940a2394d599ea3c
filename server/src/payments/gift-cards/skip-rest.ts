import type { Scope, Tx } from '#platform/database/db.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'

/** Marks gift cards that were not redeemed yet as skipped. */
export async function skipRest(tx: Scope<Tx>, { id }: StoredTransaction): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status === 'created') await redemptions.change(tx, redemption, { status: 'skipped' })
  }
}
