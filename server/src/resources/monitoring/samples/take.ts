import { readInterval } from '#domain/interval.ts'
import { isDatabaseAway } from '#platform/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/db.ts'
import { failTogether } from '#platform/jobs.ts'
import { countDecided } from '#resources/transactions/count-decided.ts'
import { closeIncident, openIncident } from '../incidents/change.ts'
import * as incidents from '../incidents/store.ts'
import * as metrics from '../metrics/store.ts'
import { incidentStep, isHealthy, type Run, rateOf, runAfter } from '../state.ts'
import { minuteAfter, minuteOf } from './minute.ts'
import * as samples from './store.ts'

const BATCH = 20
/** Of a process that died, another one takes the sample after this time. */
const LEASE_MS = 30_000

/**
 * The job: takes one sample of each metric that is due. After a pause it takes that of the present minute only:
 * a sample tells what was known at its minute, and missed minutes stay empty.
 */
export async function takeDueSamples(context: Context, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  while (!stopping?.aborted) {
    const due = await metrics.takeDue(context, { limit: BATCH, leaseMs: LEASE_MS })
    for (const taken of due) {
      await takeSample({ ...context, merchantAccountId: taken.merchant_account_id }, taken).catch((error) => {
        if (isDatabaseAway(error)) throw error
        failures.push(error)
      })
    }
    if (due.length < BATCH) break
  }
  failTogether(failures)
}

/** The sample, what it does to incidents, and their events are one commit. */
function takeSample(scope: Scope, taken: metrics.Taken): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const metric = await metrics.lock(tx, taken.id)
    // Deleted, or taken by another process because the lease was over.
    if (!metric || metric.leased_until?.getTime() !== taken.leased_until?.getTime()) return
    const minute = minuteOf(tx.clock())
    const counted = await count(tx, metric, minute)
    const healthy = isHealthy(rateOf(counted), metric)
    const run = runAfter(runOf(metric), healthy)
    const open = await incidents.lockOpen(tx, metric.id)
    const step = incidentStep({ healthy, run, isOpen: open !== undefined }, metric)
    const incident_related = open !== undefined || step === 'open'
    const sample = { metric_id: metric.id, minute, ...counted, healthy, incident_related }
    // A minute counts once, also if its sample was taken already.
    const isNew = await samples.insert(tx, sample)
    await metrics.noteSample(tx, metric, { run: isNew ? run : runOf(metric), due_at: minuteAfter(minute) })
    if (!isNew) return
    if (step === 'open') await openIncident(tx, metric)
    if (step === 'close' && open) await closeIncident(tx, open)
  })
}

function count(tx: Scope<Tx>, metric: metrics.StoredMetric, minute: Date) {
  const period = readInterval(metric.datetime_range, minute)
  if (!period) throw new Error(`the metric ${metric.id} has no period`)
  return countDecided(tx, period, {
    method: metric.methods,
    payment_method_bin: metric.bins,
    payment_method_scheme: metric.schemes,
    payment_service_id: metric.payment_service_ids,
  })
}

function runOf({ run_healthy, run_length }: metrics.StoredMetric): Run {
  return run_healthy === null ? null : { healthy: run_healthy, length: run_length }
}
