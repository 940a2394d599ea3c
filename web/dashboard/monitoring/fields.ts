import type { Schemas } from '../../api/schema.d.ts'
import type { Field, Option } from '../parts/fields.tsx'
import { methodOptions, schemeOptions } from '../transactions/filters.ts'
import type { Watched } from './words.ts'

const FILTER = 'spec.params.filters'
const BOUND = 'alerting_policy.params'
const COUNT = 'incident_policy.params'

const NAME: Field = {
  name: 'display_name',
  label: 'Name',
  kind: 'text',
  isRequired: true,
  placeholder: 'Cards at my processor',
}

/** Alerts, and when an incident. These can be changed later. */
const POLICIES: readonly Field[] = [
  {
    name: `${BOUND}.alert_lt`,
    label: 'Alert below, in percent',
    kind: 'number',
    min: 0,
    max: 100,
    isHalf: true,
    heading: 'Alerts',
    hint: 'For example 85. Leave empty for no lower limit.',
  },
  {
    name: `${BOUND}.alert_gt`,
    label: 'Alert above, in percent',
    kind: 'number',
    min: 0,
    max: 100,
    isHalf: true,
    hint: 'An unusually high rate can be a problem too.',
  },
  {
    name: `${COUNT}.create_after_n`,
    label: 'Open an incident after this many alerts',
    kind: 'number',
    min: 1,
    max: 10,
    isHalf: true,
    heading: 'Incidents',
    hint: 'Consecutive minutes, 1 to 10. Leave both empty for no incidents.',
  },
  {
    name: `${COUNT}.close_after_n`,
    label: 'Close it after this many healthy minutes',
    kind: 'number',
    min: 1,
    max: 10,
    isHalf: true,
    hint: '1 to 10.',
  },
]

export const EDIT_FIELDS: readonly Field[] = [NAME, ...POLICIES]

export function newFields(services: readonly Option[]): readonly Field[] {
  return [
    NAME,
    {
      name: `${FILTER}.datetime_range`,
      label: 'Measured over',
      kind: 'choice',
      isRequired: true,
      hint: 'Measured every minute. A shorter window alerts sooner, but with more false alarms.',
      options: [5, 10, 15, 30, 45, 60]
        .map((minutes) => ({ value: `PT${minutes}M/now`, label: `The last ${minutes} minutes` }))
        .concat([
          { value: 'PT60M/hour_start', label: 'The last full hour' },
          { value: 'PT60M/hour_end', label: 'The current hour so far' },
        ]),
    },
    ...POLICIES,
    {
      name: `${FILTER}.payment_service_id`,
      label: 'Services',
      kind: 'choices',
      heading: 'Which payments',
      hint: 'Leave empty for all.',
      options: services,
    },
    {
      name: `${FILTER}.method`,
      label: 'Methods',
      kind: 'choices',
      hint: 'Leave empty for all.',
      options: methodOptions(),
    },
    {
      name: `${FILTER}.payment_method_scheme`,
      label: 'Card schemes',
      kind: 'choices',
      hint: 'Leave empty for all.',
      options: schemeOptions(),
    },
    {
      name: `${FILTER}.payment_method_bin`,
      label: 'Card BINs',
      kind: 'lines',
      hint: 'Six digits, one per line, such as 411111. Leave empty for all.',
    },
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
