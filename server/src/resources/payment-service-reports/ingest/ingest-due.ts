import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as feeds from '../feeds/store.ts'
import { type Ingesting, ingestService } from './ingest-service.ts'

/** Services that are worked on at once. Each needs two database connections at most. */
const AT_ONCE = 4
/** How often the job looks for services that have become due while it waits for a slow one. */
const LOOK_AGAIN_MS = 1_000

/** Lists and reads the report files of all services that are due. A slow service does not delay the others. */
export async function ingestDue(context: Context, needs: Ingesting, stopping: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const busy = new Map<string, Promise<void>>()
  try {
    while (!stopping.aborted) {
      const due = await feeds.takeDue(context, { limit: AT_ONCE - busy.size, besides: [...busy.keys()] })
      for (const feed of due) {
        const { payment_service_id: id, merchant_account_id: merchantAccountId } = feed
        const work = ingestService({ ...context, merchantAccountId }, needs, feed, stopping)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => busy.delete(id))
        busy.set(id, work)
      }
      if (busy.size === 0) break
      await Promise.race([...busy.values(), sleep(LOOK_AGAIN_MS)])
    }
  } finally {
    await Promise.all(busy.values())
  }
  failTogether(failures)
}
