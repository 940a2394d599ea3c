import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import * as incidents from './incidents/store.ts'
import * as samples from './samples/store.ts'

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
