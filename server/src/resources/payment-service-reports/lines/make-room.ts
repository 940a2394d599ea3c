import type { Scope, Tx } from '#platform/database/db.ts'
import * as files from '../files/store.ts'
import type { StoredLine } from './columns.ts'
import * as lines from './store.ts'

/** A line that is about to be written back, with the payment that it fits. */
export type Returning = Pick<StoredLine, 'payment_service_id' | 'kind' | 'external_identifier'>

/**
 * While payments were archived, providers may have published their lines again, and no payment fitted those. They only repeat the
 * lines that come back, and one line counts for a movement.
 */
export async function makeRoom(tx: Scope<Tx>, returning: readonly Returning[]): Promise<void> {
  for (const [paymentServiceId, own] of Map.groupBy(returning, (line) => line.payment_service_id)) {
    const named = own.flatMap(({ kind, external_identifier }) =>
      external_identifier === null ? [] : [{ kind, external_identifier }],
    )
    const told = await lines.findReported(tx, paymentServiceId, named)
    if (told.length === 0) continue
    const given = await lines.giveWay(
      tx,
      told.map(({ id }) => id),
    )
    await files.addCounts(
      tx,
      given.map(({ file_id, lines }) => ({ id: file_id, unmatched: -lines, flagged: 0 })),
    )
  }
}
