import type { StoredSample } from '../samples/store.ts'
import { rateOf } from '../state.ts'
import type { MonitoringMetric, MonitoringSample } from './schemas.ts'
import type { Policies, StoredMetric, Watched } from './store.ts'

/** A metric, with the samples that were asked for. */
export function showMetric(row: StoredMetric, samples: readonly StoredSample[] | null): MonitoringMetric {
  return {
    type: 'monitoring.metric',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    display_name: row.display_name,
    spec: showSpec(row),
    alerting_policy: showAlertingPolicy(row),
    alerting_policy_updated_at: row.alerting_policy_updated_at?.toISOString() ?? null,
    incident_policy: showIncidentPolicy(row),
    incident_policy_updated_at: row.incident_policy_updated_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    creator_id: row.creator_id,
    creator_type: row.creator_type,
    creator_display_name: row.creator_name,
    updated_at: row.updated_at.toISOString(),
    samples_view: samples?.map(showSample) ?? null,
  }
}

export function showSpec(watched: Watched): object {
  return {
    model: watched.model,
    params: {
      filters: {
        datetime_range: watched.datetime_range,
        method: watched.methods,
        payment_method_bin: watched.bins,
        payment_method_scheme: watched.schemes,
        payment_service_id: watched.payment_service_ids,
      },
    },
  }
}

export function showAlertingPolicy({ alert_gt, alert_lt }: Policies): object | null {
  if (alert_gt === null && alert_lt === null) return null
  return { strategy: 'threshold', params: { alert_gt, alert_lt } }
}

export function showIncidentPolicy({ create_after_n, close_after_n }: Policies): object | null {
  return create_after_n === null
    ? null
    : { strategy: 'debouncing', params: { create_after_n, close_after_n } }
}

function showSample({ minute, healthy, incident_related, ...counted }: StoredSample): MonitoringSample {
  return { timestamp: minute.toISOString(), value: rateOf(counted), healthy, incident_related }
}
