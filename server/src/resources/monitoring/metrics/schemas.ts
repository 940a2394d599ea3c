import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { optional } from '#resources/transactions/wire/order.ts'
import { METHODS } from '#resources/transactions/wire/payment-method.ts'
import { Interval } from '../interval.ts'

const ENTRIES_MAX = 200

const AnyOf = <Item extends TSchema>(item: Item, description: string) =>
  Nullable(
    Type.Array(Nullable(item), {
      minItems: 1,
      maxItems: ENTRIES_MAX,
      description: `${description} Null in the list stands for payments that have none. Null for the list: all payments.`,
    }),
  )

const FILTERS = {
  method: AnyOf(OneOf(METHODS), 'Only payments by one of these methods.'),
  payment_method_bin: AnyOf(
    Type.String({
      pattern: '^[0-9]{6}$',
      minLength: 6,
      maxLength: 6,
      expected: 'the first 6 digits of a card number, such as 411111',
    }),
    'Only payments with a card that begins with one of these six digits.',
  ),
  payment_method_scheme: AnyOf(
    OneOf(Object.keys(CARD_SCHEMES) as CardScheme[]),
    'Only payments with a card of one of these schemes.',
  ),
  payment_service_id: AnyOf(Uuid(), 'Only payments through one of these payment services.'),
}

export const MonitoringMetricFilters = Strict(
  {
    datetime_range: Type.String({
      maxLength: 100,
      description:
        'The time over which the rate is taken, for each sample: a duration of 5 to 60 minutes and its end. `now` is the minute ' +
        'of the sample, `hour_start` and `hour_end` are the bounds of its hour, in UTC.',
    }),
    ...optional(FILTERS),
  },
  { title: 'MonitoringMetricFilters' },
)
export type MonitoringMetricFilters = Static<typeof MonitoringMetricFilters>

const NewSpec = Strict(
  {
    model: OneOf(['auth_rate'], {
      default: 'auth_rate',
      description: 'The share of decided payments that were authorized, from 0 to 1.',
    }),
    params: Strict({ filters: MonitoringMetricFilters }),
  },
  { title: 'MonitoringAuthRateSpec' },
)

/** Clients write decimals as numbers or as text. */
const Threshold = (description: string) =>
  Type.Unsafe<number | string | null>({
    type: ['number', 'string', 'null'],
    pattern: '^[+-]?([0-9]{1,20}([.][0-9]{0,20})?|[.][0-9]{1,20})$',
    minimum: 0,
    maximum: 1,
    expected: 'a rate from 0 to 1, such as 0.85',
    description,
  })

const NewAlertingPolicy = Strict(
  {
    strategy: Type.Optional(OneOf(['threshold'], { description: 'The only one there is.' })),
    params: Strict(
      optional({
        alert_gt: Threshold('A higher rate is an alert. From 0 to 1.'),
        alert_lt: Threshold('A lower rate is an alert. From 0 to 1.'),
      }),
    ),
  },
  { title: 'MonitoringThresholdAlertingPolicy' },
)

const Count = (description: string) => Type.Integer({ minimum: 1, maximum: 10, description })

const NewIncidentPolicy = Strict(
  {
    strategy: Type.Optional(OneOf(['debouncing'], { description: 'The only one there is.' })),
    params: Strict({
      create_after_n: Count('So many alerts in a row open an incident.'),
      close_after_n: Count('So many healthy samples in a row close it.'),
    }),
  },
  { title: 'MonitoringDebouncingIncidentPolicy' },
)

const CHANGEABLE = {
  display_name: Type.String({ minLength: 1, maxLength: 200 }),
  alerting_policy: Nullable(NewAlertingPolicy),
  incident_policy: Nullable(NewIncidentPolicy),
}

const EXAMPLE = {
  display_name: 'Card payments that are authorized',
  alerting_policy: { strategy: 'threshold', params: { alert_lt: 0.85 } },
  incident_policy: { strategy: 'debouncing', params: { create_after_n: 3, close_after_n: 5 } },
}

export const CreateMonitoringMetric = Strict(
  { ...CHANGEABLE, spec: NewSpec },
  {
    title: 'MonitoringMetricCreate',
    examples: [
      {
        ...EXAMPLE,
        spec: {
          model: 'auth_rate',
          params: { filters: { datetime_range: 'PT30M/now', method: ['card'] } },
        },
      },
    ],
  },
)
export type CreateMonitoringMetric = Static<typeof CreateMonitoringMetric>

export const UpdateMonitoringMetric = Strict(CHANGEABLE, {
  title: 'MonitoringMetricUpdate',
  examples: [EXAMPLE],
})
export type UpdateMonitoringMetric = Static<typeof UpdateMonitoringMetric>

const Settings = (description: string) => Type.Object({}, { additionalProperties: true, description })
export const Spec = Settings('What is watched: the model and its filters. Null for a filter: all payments.')
export const Policy = (description: string) => Nullable(Settings(description))

const MonitoringSample = Strict(
  {
    timestamp: DateTime({ description: 'The minute of the sample.' }),
    value: Nullable(
      Type.Number({ description: 'From 0 to 1. Null if no payment of the period was decided.' }),
    ),
    healthy: Nullable(
      Type.Boolean({ description: 'Null if there is no value, or no policy that says what is healthy.' }),
    ),
    incident_related: Type.Boolean({
      description: 'Whether the sample opened an incident, closed it, or was taken while it was open.',
    }),
  },
  { title: 'MonitoringSample' },
)
export type MonitoringSample = Static<typeof MonitoringSample>

export const MonitoringMetric = Strict(
  {
    type: Kind('monitoring.metric'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    display_name: Type.String(),
    spec: Spec,
    alerting_policy: Policy('Which rates are alerts. Null: none are.'),
    alerting_policy_updated_at: Nullable(DateTime()),
    incident_policy: Policy('When incidents are opened and closed. Null: there are none.'),
    incident_policy_updated_at: Nullable(DateTime()),
    created_at: DateTime(),
    creator_id: Uuid({ description: 'The user or the API key pair that created the metric.' }),
    creator_type: OneOf(['private_key', 'user'], { description: '`private_key` is an API key pair.' }),
    creator_display_name: Type.String(),
    updated_at: DateTime(),
    samples_view: Nullable(
      Type.Array(MonitoringSample, {
        description: 'The samples of the interval that was asked for, oldest first. Null if none was.',
      }),
    ),
  },
  {
    title: 'MonitoringMetric',
    examples: [
      {
        type: 'monitoring.metric',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: 'default',
        display_name: EXAMPLE.display_name,
        spec: {
          model: 'auth_rate',
          params: {
            filters: {
              datetime_range: 'PT30M/now',
              method: ['card'],
              payment_method_bin: null,
              payment_method_scheme: null,
              payment_service_id: null,
            },
          },
        },
        alerting_policy: { strategy: 'threshold', params: { alert_gt: null, alert_lt: 0.85 } },
        alerting_policy_updated_at: '2026-11-15T09:30:00.000Z',
        incident_policy: EXAMPLE.incident_policy,
        incident_policy_updated_at: '2026-11-15T09:30:00.000Z',
        created_at: '2026-11-15T09:30:00.000Z',
        creator_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
        creator_type: 'private_key',
        creator_display_name: 'Shop backend',
        updated_at: '2026-11-15T09:30:00.000Z',
        samples_view: [
          { timestamp: '2026-11-15T09:31:00.000Z', value: 0.92, healthy: true, incident_related: false },
          { timestamp: '2026-11-15T09:32:00.000Z', value: null, healthy: null, incident_related: false },
        ],
      },
    ],
  },
)
export type MonitoringMetric = Static<typeof MonitoringMetric>

export const MonitoringMetrics = CollectionOf(MonitoringMetric, 'MonitoringMetrics')

export const MonitoringMetricListQuery = Strict({
  ...pageParameters(10, 5),
  samples_timestamp_interval: Interval('Shows the samples of this time, at most 3 days.', ['PT1H/now']),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the display name.' })),
})
export type MonitoringMetricListQuery = Static<typeof MonitoringMetricListQuery>

export const MonitoringMetricQuery = Strict({
  samples_timestamp_interval: Type.Optional(
    Interval('Shows the samples of this time, at most 31 days. Without it, none are shown.'),
  ),
})
export type MonitoringMetricQuery = Static<typeof MonitoringMetricQuery>
