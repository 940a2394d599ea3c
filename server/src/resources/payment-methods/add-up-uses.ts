import { type Context, inTransaction } from '../../platform/db.ts'
import * as paymentMethods from './store.ts'
import * as uses from './uses/store.ts'

const BATCH = 1_000

/** Moves recorded uses into the counters. A use is in one of the two at any moment, so what is shown never jumps. */
export async function addUpUses(context: Context): Promise<void> {
  for (;;) {
    const added = await inTransaction(context, async (tx) => {
      const sums = await uses.takeSome(tx, BATCH)
      for (const sum of sums) {
        await paymentMethods.addUses(tx, sum.payment_method_id, {
          count: sum.count,
          citCount: sum.cit_count,
          lastUsedAt: sum.last_used_at,
          citLastUsedAt: sum.cit_last_used_at,
        })
      }
      return sums.reduce((total, { count }) => total + count, 0)
    })
    if (added < BATCH) return
  }
}
