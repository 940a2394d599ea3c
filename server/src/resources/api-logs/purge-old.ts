import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import type { ApiLogWriter } from './log.ts'
import { oldest, removeOld } from './store.ts'

type Needs = { readonly context: Context; readonly apiLog: ApiLogWriter }

export const purgeApiLogs = retentionJob<Needs>({
  name: 'purge-old-api-logs',
  days: ({ apiLog }) => apiLog.retentionDays,
  batch: 5_000,
  removeOld,
  oldest,
})
