import { type Context, inTransaction } from '#platform/database/db.ts'
import * as events from './store.ts'

const BATCH = 1_000
const DAY_MS = 86_400_000

type Purge = { readonly retentionDays: number; readonly stopping: AbortSignal }

/** Removes events after their retention time, except those that a subscription could still get. */
export async function purgeOldEvents(context: Context, { retentionDays, stopping }: Purge): Promise<void> {
  const before = new Date(context.clock().getTime() - retentionDays * DAY_MS)
  let beyond: { readonly created_at: Date; readonly id: string } | null = null
  while (!stopping.aborted) {
    const from = beyond
    const old = await inTransaction(context, async (tx) => {
      const taken = await events.takeOld(tx, { before, beyond: from, limit: BATCH })
      await events.remove(
        tx,
        taken.filter(({ is_wanted }) => !is_wanted).map(({ id }) => id),
      )
      return taken
    })
    beyond = old.at(-1) ?? null
    if (old.length < BATCH) return
  }
}

/** When the next event gets too old. Those that are kept because a subscription could still get them do not count. */
export async function nextPurgeAt(context: Context, retentionDays: number): Promise<Date | null> {
  const retentionMs = retentionDays * DAY_MS
  const oldest = await events.oldestSince(context, new Date(context.clock().getTime() - retentionMs))
  return oldest && new Date(oldest.getTime() + retentionMs)
}
