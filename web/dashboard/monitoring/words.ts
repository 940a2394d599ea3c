import type { Schemas } from '../../api/schema.d.ts'
import { rateText } from '../insights/metrics.tsx'
import { type Field, field, type Option } from '../parts/fields.tsx'
import type { Fact, Mark } from '../parts/values.tsx'
import { methodOptions, schemeOptions } from '../transactions/filters.ts'
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
export function healthOf(samples: readonly Sample[] | null, hasIncident: boolean): Mark {
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

const FILTER = 'spec.params.filters'
const BOUND = 'alerting_policy.params'
const COUNT = 'incident_policy.params'

const NAME: Field = field('text', 'display_name', 'Name', {
  isRequired: true,
  placeholder: 'Cards at my processor',
})

/** Alerts, and when an incident. These can be changed later. */
const POLICIES: readonly Field[] = [
  field('number', `${BOUND}.alert_lt`, 'Alert below, in percent', {
    min: 0,
    max: 100,
    isHalf: true,
    heading: 'Alerts',
    hint: 'For example 85. Leave empty for no lower limit.',
  }),
  field('number', `${BOUND}.alert_gt`, 'Alert above, in percent', {
    min: 0,
    max: 100,
    isHalf: true,
    hint: 'An unusually high rate can be a problem too.',
  }),
  field('number', `${COUNT}.create_after_n`, 'Open an incident after this many alerts', {
    min: 1,
    max: 10,
    isHalf: true,
    heading: 'Incidents',
    hint: 'Consecutive minutes, 1 to 10. Leave both empty for no incidents.',
  }),
  field('number', `${COUNT}.close_after_n`, 'Close it after this many healthy minutes', {
    min: 1,
    max: 10,
    isHalf: true,
    hint: '1 to 10.',
  }),
]

export const EDIT_FIELDS: readonly Field[] = [NAME, ...POLICIES]

export function newFields(services: readonly Option[]): readonly Field[] {
  return [
    NAME,
    field('choice', `${FILTER}.datetime_range`, 'Measured over', {
      isRequired: true,
      hint: 'Measured every minute. A shorter window alerts sooner, but with more false alarms.',
      options: [5, 10, 15, 30, 45, 60]
        .map((minutes) => ({ value: `PT${minutes}M/now`, label: `The last ${minutes} minutes` }))
        .concat([
          { value: 'PT60M/hour_start', label: 'The last full hour' },
          { value: 'PT60M/hour_end', label: 'The current hour so far' },
        ]),
    }),
    ...POLICIES,
    field('choices', `${FILTER}.payment_service_id`, 'Services', {
      heading: 'Which payments',
      hint: 'Leave empty for all.',
      options: services,
    }),
    field('choices', `${FILTER}.method`, 'Methods', {
      hint: 'Leave empty for all.',
      options: methodOptions(),
    }),
    field('choices', `${FILTER}.payment_method_scheme`, 'Card schemes', {
      hint: 'Leave empty for all.',
      options: schemeOptions(),
    }),
    field('lines', `${FILTER}.payment_method_bin`, 'Card BINs', {
      hint: 'Six digits, one per line, such as 411111. Leave empty for all.',
    }),
  ]
}

export const FIRST_VALUES = {
  [`${FILTER}.datetime_range`]: 'PT30M/now',
  [`${BOUND}.alert_lt`]: 85,
  [`${COUNT}.create_after_n`]: 3,
  [`${COUNT}.close_after_n`]: 5,
}

export function valuesOf(name: string, { below, above, incidents }: Watched): Record<string, unknown> {
  return {
    display_name: name,
    [`${BOUND}.alert_lt`]: below === null ? null : percentOf(below),
    [`${BOUND}.alert_gt`]: above === null ? null : percentOf(above),
    [`${COUNT}.create_after_n`]: incidents?.create_after_n,
    [`${COUNT}.close_after_n`]: incidents?.close_after_n,
  }
}

type Given = {
  readonly alerting_policy?: { readonly params: Readonly<Record<string, number>> }
  readonly incident_policy?: object
}

/** People write percent, the API takes shares. A policy with nothing in it is none. */
export function bodyOf(body: Record<string, unknown>): Schemas['MonitoringMetricCreate'] {
  const { alerting_policy, incident_policy, ...rest } = body as Given
  const bounds = Object.entries(alerting_policy?.params ?? {}).map(([name, percent]) => [
    name,
    shareOf(percent),
  ])
  return {
    ...rest,
    alerting_policy: alerting_policy ? { params: Object.fromEntries(bounds) } : null,
    incident_policy: incident_policy ?? null,
  } as Schemas['MonitoringMetricCreate']
}

/** Without the dust of binary fractions. */
function shareOf(percent: number): number {
  return Number((percent / 100).toFixed(6))
}

function percentOf(share: number): number {
  return Number((share * 100).toFixed(4))
}
