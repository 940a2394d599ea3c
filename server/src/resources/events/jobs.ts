import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import { nextPurgeAt, purgeOldEvents } from './purge-old.ts'

type Needs = { readonly context: Context; readonly eventRetentionDays: number }

export const eventJobs: Job<Needs>[] = [
  {
    name: 'purge-old-events',
    everyMs: 60 * 60_000,
    run: ({ context, eventRetentionDays }, stopping) =>
      purgeOldEvents(context, { retentionDays: eventRetentionDays, stopping }),
    nextDueAt: ({ context, eventRetentionDays }) => nextPurgeAt(context, eventRetentionDays),
  },
]
