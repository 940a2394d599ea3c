import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/meaning.ts'
import { PERIOD_EXPECTED, readPeriod } from './period.ts'
import { thresholdOf } from './read-settings.ts'
import type { CreateMonitoringMetric, UpdateMonitoringMetric } from './schemas.ts'

const PERIOD = '/spec/params/filters/datetime_range'
const THRESHOLDS = '/alerting_policy/params'

export function newMetricComplaints(body: Sound<CreateMonitoringMetric>, about: About): ErrorDetail[] {
  const period = body.spec?.params?.filters?.datetime_range
  const isWrong = period !== undefined && !readPeriod(period)
  return [
    ...(isWrong ? [inBody(PERIOD, 'value_error.str.regex', `must be ${PERIOD_EXPECTED}`)] : []),
    ...metricComplaints(body, about),
  ]
}

/** Thresholds that no rate meets, and those that every rate meets. */
export function metricComplaints(
  { alerting_policy: policy }: Sound<UpdateMonitoringMetric>,
  { isRight }: About,
): ErrorDetail[] {
  if (!policy?.params || !isRight(`${THRESHOLDS}/alert_gt`, `${THRESHOLDS}/alert_lt`)) return []
  const above = thresholdOf(policy.params.alert_gt)
  const below = thresholdOf(policy.params.alert_lt)
  const outside = [...outsideOf('alert_gt', above), ...outsideOf('alert_lt', below)]
  if (outside.length > 0) return outside
  if (above === null && below === null) {
    const message = 'send alert_gt or alert_lt, or null for the whole policy'
    return [inBody(THRESHOLDS, 'value_error.missing', message)]
  }
  if (above !== null && below !== null && below > above) {
    const message = 'must not be above alert_gt: every rate would be an alert'
    return [inBody(`${THRESHOLDS}/alert_lt`, 'value_error.conflict', message)]
  }
  return []
}

/** The schema limits numbers, but not numbers that are written as text. */
function outsideOf(name: string, threshold: number | null): ErrorDetail[] {
  const pointer = `${THRESHOLDS}/${name}`
  if (threshold === null) return []
  if (threshold < 0) return [inBody(pointer, 'value_error.number.not_ge', 'must be at least 0')]
  if (threshold > 1) return [inBody(pointer, 'value_error.number.not_le', 'must be at most 1')]
  return []
}
