import type { MonitoringIncident } from './schemas.ts'
import type { StoredIncident } from './store.ts'

export function showIncident(row: StoredIncident): MonitoringIncident {
  return {
    type: 'monitoring.incident',
    id: row.id,
    metric_id: row.metric_id,
    merchant_account_id: row.merchant_account_id,
    display_name: row.display_name,
    spec: row.spec,
    alerting_policy: row.alerting_policy,
    incident_policy: row.incident_policy,
    notes: row.notes,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
  }
}
