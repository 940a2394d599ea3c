import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import * as metrics from './metrics/store.ts'
import { purgeIncidents, purgeSamples } from './purge-old.ts'
import { takeDueSamples } from './samples/take.ts'

type Needs = { readonly context: Context; readonly incidentRetentionDays: number }

export const monitoringJobs: Job<Needs>[] = [
  {
    name: 'take-monitoring-samples',
    // Samples are due at full minutes. This is how late they may be.
    everyMs: 5_000,
    run: ({ context }, stopping) => takeDueSamples(context, stopping),
    nextDueAt: ({ context }) => metrics.nextDueAt(context),
  },
  purgeSamples,
  purgeIncidents,
]
