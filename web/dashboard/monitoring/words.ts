import type { Schemas } from '../../api/schema.d.ts'
import { rateText } from '../insights/metrics.ts'
import type { Fact, Tone } from '../parts/values.tsx'
import { methodName, schemeName } from '../transactions/words.ts'

export const MONITORS = { to: '/monitoring', label: 'Monitors' } as const
export const INCIDENTS = { to: '/monitoring/incidents', label: 'Incidents' } as const

type Filters = {
  readonly datetime_range: string
  readonly method: readonly (string | null)[] | null
  readonly payment_method_bin: readonly (string | null)[] | null
  readonly payment_method_scheme: readonly (string | null)[] | null
  readonly payment_service_id: readonly (string | null)[] | null
}

/** What a metric watches, and when it alarms: the parts of it, and of its incidents, that the API leaves open. */
export type Watched = {
  readonly filters: Filters
  readonly below: number | null
  readonly above: number | null
  /** Null: no incidents are opened. */
  readonly incidents: { readonly create_after_n: number; readonly close_after_n: number } | null
}

type Settings = Pick<Schemas['MonitoringMetric'], 'spec' | 'alerting_policy' | 'incident_policy'>

export function watchedBy({ spec, alerting_policy, incident_policy }: Settings): Watched {
  const { filters } = (spec as { params: { filters: Filters } }).params
  const bounds = (alerting_policy as { params: { alert_lt: number | null; alert_gt: number | null } } | null)
    ?.params
  const counts = (incident_policy as { params: NonNullable<Watched['incidents']> } | null)?.params
  return {
    filters,
    below: bounds?.alert_lt ?? null,
    above: bounds?.alert_gt ?? null,
    incidents: counts ?? null,
  }
}

/** When a rate is an alert, in words. */
export function boundsText({ below, above }: Pick<Watched, 'below' | 'above'>): string {
  if (below === null && above === null) return 'Never'
  return [
    ...(below === null ? [] : [`below ${rateText(below)}`]),
    ...(above === null ? [] : [`above ${rateText(above)}`]),
  ].join(' or ')
}

/** PT30M/now as “the last 30 minutes”. */
export function periodText(range: string): string {
  const [length = '', end = ''] = range.split('/')
  const [, minutes] = /^PT(\d+)M$/.exec(length) ?? []
  const time = minutes ? `${minutes} minutes` : length
  return (
    {
      now: `the last ${time}`,
      hour_start: `${time} before the hour`,
      hour_end: `${time} up to the end of the hour`,
    }[end] ?? range
  )
}

export function factsOf(watched: Watched, nameOf: (id: string) => string): readonly Fact[] {
  const { filters, incidents } = watched
  const list = (values: readonly (string | null)[] | null, name: (value: string) => string) =>
    values?.map((value) => (value === null ? 'none' : name(value))).join(', ')
  return [
    ['Measured over', periodText(filters.datetime_range)],
    ['Service', list(filters.payment_service_id, nameOf)],
    ['Method', list(filters.method, methodName)],
    ['Card scheme', list(filters.payment_method_scheme, schemeName)],
    ['First digits', list(filters.payment_method_bin, (bin) => bin)],
    ['Alert', boundsText(watched)],
    ['Incident after', incidents ? alertsText(incidents.create_after_n) : 'Never'],
    [
      'Closed after',
      incidents &&
        `${incidents.close_after_n} healthy ${incidents.close_after_n === 1 ? 'minute' : 'minutes'}`,
    ],
  ]
}

function alertsText(count: number): string {
  return count === 1 ? '1 alert' : `${count} alerts in a row`
}

type Sample = Schemas['MonitoringSample']

/** How a metric stands, by its newest sample. */
export function healthOf(
  samples: readonly Sample[] | null,
  hasIncident: boolean,
): { readonly tone: Tone; readonly label: string } {
  const last = samples?.at(-1)
  if (hasIncident) return { tone: 'bad', label: 'Incident' }
  if (!last) return { tone: 'mute', label: 'No data yet' }
  if (last.value === null) return { tone: 'mute', label: 'No payments' }
  if (last.healthy === null) return { tone: 'info', label: 'Watching' }
  return last.healthy ? { tone: 'good', label: 'Healthy' } : { tone: 'wait', label: 'Alert' }
}

/** 2 hours 5 minutes. */
export function lengthText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  const said = parts.filter(([count]) => count > 0).slice(0, 2)
  if (said.length === 0) return 'less than a minute'
  return said.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ')
}
