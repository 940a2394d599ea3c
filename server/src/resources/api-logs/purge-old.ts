import type { Context } from '#platform/db.ts'
import type { Job } from '#platform/jobs.ts'
import type { ApiLogWriter } from './log.ts'
import * as apiLogs from './store.ts'

const BATCH = 5_000
const DAY_MS = 86_400_000

type Needs = { readonly context: Context; readonly apiLog: ApiLogWriter }

export const purgeApiLogs: Job<Needs> = {
  name: 'purge-old-api-logs',
  everyMs: 10 * 60_000,
  run: async ({ context, apiLog }, stopping) => {
    const before = new Date(context.clock().getTime() - apiLog.retentionDays * DAY_MS)
    while (!stopping.aborted) {
      if ((await apiLogs.removeOld(context, before, BATCH)) < BATCH) return
    }
  },
  nextDueAt: async ({ context, apiLog }) => {
    const oldest = await apiLogs.oldest(context)
    return oldest && new Date(oldest.getTime() + apiLog.retentionDays * DAY_MS + 1)
  },
}
