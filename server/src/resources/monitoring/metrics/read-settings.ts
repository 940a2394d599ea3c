import { createHash } from 'node:crypto'
import { readPeriod } from './period.ts'
import type { CreateMonitoringMetric, MonitoringMetricFilters, UpdateMonitoringMetric } from './schemas.ts'
import type { Policies, Watched } from './store.ts'

/** What a metric watches, as it is stored. Each value of a filter once, in one order. */
export function readWatched({ spec }: CreateMonitoringMetric): Watched {
  const filters: MonitoringMetricFilters = spec.params.filters
  return {
    model: spec.model,
    datetime_range: filters.datetime_range,
    methods: inOneOrder(filters.method),
    bins: inOneOrder(filters.payment_method_bin),
    schemes: inOneOrder(filters.payment_method_scheme),
    payment_service_ids: inOneOrder(filters.payment_service_id),
  }
}

export function readPolicies({ alerting_policy, incident_policy }: UpdateMonitoringMetric): Policies {
  return {
    alert_gt: thresholdOf(alerting_policy?.params.alert_gt),
    alert_lt: thresholdOf(alerting_policy?.params.alert_lt),
    create_after_n: incident_policy?.params.create_after_n ?? null,
    close_after_n: incident_policy?.params.close_after_n ?? null,
  }
}

export function thresholdOf(given: number | string | null | undefined): number | null {
  return given === null || given === undefined ? null : Number(given)
}

/** The same for metrics that watch the same payments over the same time with the same thresholds. */
export function identityOf(watched: Watched, { alert_gt, alert_lt }: Policies): string {
  const { datetime_range, ...others } = watched
  const period = readPeriod(datetime_range)
  const parts = [
    others.model,
    period?.minutes,
    period?.end,
    others.methods,
    others.bins,
    others.schemes,
    others.payment_service_ids,
    alert_gt,
    alert_lt,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function inOneOrder<Value extends string>(
  values: readonly (Value | null)[] | null | undefined,
): (Value | null)[] | null {
  if (!values) return null
  const known = [...new Set(values.filter((value) => value !== null))]
  const sorted = known.toSorted((one, other) => (one < other ? -1 : 1))
  return values.includes(null) ? [...sorted, null] : sorted
}
