import type { Context } from '#platform/db.ts'
import type { Job } from '#platform/jobs.ts'
import * as metrics from './metrics/store.ts'
import { nextPurgeAt, purgeOldMonitoring } from './purge-old.ts'
import { takeDueSamples } from './samples/take.ts'

type Needs = { readonly context: Context }

export const monitoringJobs: Job<Needs>[] = [
  {
    name: 'take-monitoring-samples',
    // Samples are due at full minutes. This is how late they may be.
    everyMs: 5_000,
    run: ({ context }, stopping) => takeDueSamples(context, stopping),
    nextDueAt: ({ context }) => metrics.nextDueAt(context),
  },
  {
    name: 'purge-old-monitoring',
    everyMs: 10 * 60_000,
    run: ({ context }, stopping) => purgeOldMonitoring(context, stopping),
    nextDueAt: ({ context }) => nextPurgeAt(context),
  },
]
