import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Resource } from '#resources/resource.ts'
import { monitoringIncidentRoutes } from './incidents/routes.ts'
import * as incidents from './incidents/store.ts'
import { monitoringMetricRoutes } from './metrics/routes.ts'
import * as metrics from './metrics/store.ts'
import * as samples from './samples/store.ts'
import { takeDueSamples } from './samples/take.ts'

const BATCH = 1_000
const DAY_MS = 86_400_000
const SAMPLES_KEPT_DAYS = 30

export const purgeSamples = retentionJob<{ readonly context: Context }>({
  name: 'purge-old-monitoring-samples',
  days: () => SAMPLES_KEPT_DAYS,
  batch: BATCH,
  removeOld: samples.removeOld,
  oldest: samples.oldest,
  // There is one for each minute.
  gatherMs: DAY_MS,
})

/** From the day it was closed. An open incident stays. */
export const purgeIncidents = retentionJob<{
  readonly context: Context
  readonly incidentRetentionDays: number
}>({
  name: 'purge-old-incidents',
  days: ({ incidentRetentionDays }) => incidentRetentionDays,
  batch: BATCH,
  removeOld: incidents.removeOld,
})

const monitoringJobs: Job<Needs>[] = [
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

export const monitoringResource: Resource = {
  operations: () => [...monitoringMetricRoutes(), ...monitoringIncidentRoutes],
  jobs: monitoringJobs,
}

type Needs = { readonly context: Context; readonly incidentRetentionDays: number }
