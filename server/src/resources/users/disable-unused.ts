import { type Context, inTransaction } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import * as users from './store.ts'
import { changeUser } from './update.ts'

/** PCI DSS 8.2.6. */
const UNUSED_MS = 90 * 24 * 3_600_000

/**
 * Disables users who have not signed in for 90 days. The last active administrator stays: without one, nobody could
 * make the others active again.
 */
export async function disableUnused(context: Context): Promise<void> {
  const since = new Date(realTime(context.clock).getTime() - UNUSED_MS)
  const actor = { id: null, name: 'Unused for 90 days' }
  for (const id of await users.findUnused(context, since)) {
    await inTransaction({ ...context, actor }, async (tx) => {
      const user = await users.lockUnused(tx, id, since)
      if (user) await changeUser(tx, user, { status: 'disabled' })
    }).catch((error) => {
      if (!(error instanceof ApiError)) throw error
    })
  }
}
