import { createHash } from 'node:crypto'
import { readDuration } from '#domain/duration.ts'
import type { CreateMonitoringMetric, MonitoringMetricFilters, UpdateMonitoringMetric } from './schemas.ts'
import type { Policies, Watched } from './store.ts'

const MINUTE_MS = 60_000
const MINUTES_MIN = 5
const MINUTES_MAX = 60
const ENDS: readonly string[] = ['now', 'hour_start', 'hour_end']

export const PERIOD_EXPECTED =
  'a duration of 5 to 60 whole minutes, a slash, and its end, now, hour_start or hour_end, such as PT60M/now'

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

type Period = { readonly minutes: number; readonly end: string }

/**
 * The period of a metric, such as `PT60M/hour_start`. Undefined for other text, also for an interval that does not
 * move with the time.
 */
export function readPeriod(text: string): Period | undefined {
  const [length = '', end = '', ...more] = text.split('/')
  const duration = readDuration(length)
  if (!duration || more.length > 0 || duration.months !== 0 || !ENDS.includes(end)) return undefined
  const minutes = duration.ms / MINUTE_MS
  const isAllowed = Number.isInteger(minutes) && minutes >= MINUTES_MIN && minutes <= MINUTES_MAX
  return isAllowed ? { minutes, end } : undefined
}
