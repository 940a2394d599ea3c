import { type Interval, readInterval } from '#domain/interval.ts'
import { type Choices, countDecided } from '#payments/store/count-decided.ts'
import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import { closeIncident, openIncident } from '../incidents/change.ts'
import * as incidents from '../incidents/store.ts'
import * as metrics from '../metrics/store.ts'
import { type Counted, incidentStep, isHealthy, type Run, rateOf, runAfter } from '../state.ts'
import * as samples from './store.ts'

const MINUTE_MS = 60_000

const BATCH = 20

/**
 * The job: takes one sample of each metric that is due. After a pause it takes that of the present minute only:
 * a sample tells what was known at its minute, and missed minutes stay empty.
 */
export async function takeDueSamples(context: Context, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const goOn = (error: unknown) => {
    if (isDatabaseAway(error)) throw error
    failures.push(error)
  }
  while (!stopping?.aborted) {
    const due = await metrics.takeDue(context, BATCH)
    const minute = minuteOf(context.clock())
    for (const together of byPayments(due, minute, goOn)) {
      const scope = { ...context, merchantAccountId: together.merchantAccountId }
      await takeSamples(scope, together, goOn).catch(goOn)
    }
    if (due.length < BATCH) break
  }
  failTogether(failures)
}

/** Metrics of one account about the same time: their payments are read once. */
type Together = {
  readonly merchantAccountId: string
  readonly minute: Date
  readonly period: Interval
  readonly metrics: readonly metrics.StoredMetric[]
}

function byPayments(
  due: readonly metrics.StoredMetric[],
  minute: Date,
  goOn: (error: unknown) => void,
): Together[] {
  const groups = new Map<string, Together & { readonly metrics: metrics.StoredMetric[] }>()
  for (const metric of due) {
    const period = readInterval(metric.datetime_range, minute)
    if (!period) {
      goOn(new Error(`the metric ${metric.id} has no period`))
      continue
    }
    const { merchant_account_id: merchantAccountId } = metric
    const key = JSON.stringify([merchantAccountId, period])
    const group = groups.get(key) ?? { merchantAccountId, minute, period, metrics: [] }
    groups.set(key, group)
    group.metrics.push(metric)
  }
  return [...groups.values()]
}

async function takeSamples(
  scope: Scope,
  { minute, period, metrics: taken }: Together,
  goOn: (error: unknown) => void,
): Promise<void> {
  // What a metric watches does not change, so it can be counted before the metric is locked.
  const counts = await countDecided(scope, period, taken.map(choicesOf))
  for (const [index, metric] of taken.entries()) {
    await takeSample(scope, metric, { minute, ...(counts[index] ?? NONE) }).catch(goOn)
  }
}

const NONE: Counted = { authorized: 0, decided: 0 }

/** The sample, what it does to incidents, and their events are one commit. */
function takeSample(
  scope: Scope,
  taken: metrics.StoredMetric,
  { minute, ...counted }: Counted & { readonly minute: Date },
): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const metric = await metrics.lock(tx, taken.id)
    // Deleted, or taken by another process because the lease was over.
    if (!metric || metric.leased_until?.getTime() !== taken.leased_until?.getTime()) return
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

function choicesOf(metric: metrics.StoredMetric): Choices {
  return {
    method: metric.methods,
    payment_method_bin: metric.bins,
    payment_method_scheme: metric.schemes,
    payment_service_id: metric.payment_service_ids,
  }
}

function runOf({ run_healthy, run_length }: metrics.StoredMetric): Run {
  return run_healthy === null ? null : { healthy: run_healthy, length: run_length }
}

/** The start of a moment's minute. */
function minuteOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS)
}

/** The start of the next minute. */
export function minuteAfter(moment: Date): Date {
  return new Date(minuteOf(moment).getTime() + MINUTE_MS)
}
