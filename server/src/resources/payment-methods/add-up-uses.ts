import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import * as paymentMethods from './store.ts'
import * as uses from './uses/store.ts'

const BATCH = 1_000

type Counted = {
  readonly takeSome: (tx: Context<Tx>, limit: number) => Promise<uses.Sum[]>
  readonly addUses: (tx: Context<Tx>, sum: uses.Sum) => Promise<void>
}

/**
 * Moves recorded uses into the counters. A use is always in exactly one of the two, so the shown number never
 * jumps.
 */
export async function addUpUses(
  context: Context,
  { takeSome, addUses }: Counted = { takeSome: uses.takeSome, addUses: paymentMethods.addUses },
): Promise<void> {
  for (;;) {
    const added = await inTransaction(context, async (tx) => {
      const sums = await takeSome(tx, BATCH)
      for (const sum of sums) await addUses(tx, sum)
      return sums.reduce((total, { count }) => total + count, 0)
    })
    if (added < BATCH) return
  }
}
