import type { Context } from '#platform/database/db.ts'
import * as clocks from './store.ts'

/** Real payments have real times. The database refuses to move the clock of production, so this should not happen. */
export async function refuseMovedClock(context: Pick<Context, 'db'>): Promise<void> {
  const { offsetMs, target } = await clocks.read(context)
  if (offsetMs === 0 && target === null) return
  throw new Error(
    'The clock of this database was moved, as only the clock of a sandbox can be (table sandbox_clock). ' +
      'Restore a backup of the production database.',
  )
}
