import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { Interval } from '../interval.ts'
import { Policy, Spec } from '../metrics/schemas.ts'

export const MonitoringIncident = Strict(
  {
    type: Kind('monitoring.incident'),
    id: Uuid(),
    metric_id: Nullable(Uuid({ description: 'Null once the metric is deleted.' })),
    merchant_account_id: Type.String(),
    display_name: Type.String({ description: 'That of the metric when the incident was opened.' }),
    spec: Spec,
    alerting_policy: Policy('That of the metric when the incident was opened.'),
    incident_policy: Policy('That of the metric when the incident was opened.'),
    notes: Nullable(Type.String({ description: 'What you wrote about it.' })),
    created_at: DateTime({ description: 'When it was opened.' }),
    updated_at: DateTime(),
    closed_at: Nullable(DateTime({ description: 'Null while it is open.' })),
  },
  {
    title: 'MonitoringIncident',
    examples: [
      {
        type: 'monitoring.incident',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003',
        metric_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: 'default',
        display_name: 'Card payments that are authorized',
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
        incident_policy: { strategy: 'debouncing', params: { create_after_n: 3, close_after_n: 5 } },
        notes: 'The processor had an outage.',
        created_at: '2026-11-15T09:33:02.120Z',
        updated_at: '2026-11-15T09:58:01.480Z',
        closed_at: '2026-11-15T09:58:01.480Z',
      },
    ],
  },
)
export type MonitoringIncident = Static<typeof MonitoringIncident>

export const MonitoringIncidents = CollectionOf(MonitoringIncident, 'MonitoringIncidents')

export const UpdateMonitoringIncident = Strict(
  { notes: Nullable(Type.String({ minLength: 1, maxLength: 1_000 })) },
  { title: 'MonitoringIncidentUpdate', examples: [{ notes: 'The processor had an outage.' }] },
)
export type UpdateMonitoringIncident = Static<typeof UpdateMonitoringIncident>

export const MonitoringIncidentFilters = Strict({
  ...pageParameters(),
  timestamp_interval: Type.Optional(Interval('Only incidents that were opened in this time.')),
})
export type MonitoringIncidentFilters = Static<typeof MonitoringIncidentFilters>
