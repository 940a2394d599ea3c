import type { Scope, Tx } from '#platform/database/db.ts'
import * as events from '#resources/events/store.ts'
import { showAlertingPolicy, showIncidentPolicy, showSpec } from '../metrics/show.ts'
import type { StoredMetric } from '../metrics/store.ts'
import type { MonitoringIncident } from './schemas.ts'
import type { StoredIncident } from './store.ts'
import * as incidents from './store.ts'

/** Keeps the metric as it is now, for those who read about the incident later. */
export async function openIncident(tx: Scope<Tx>, metric: StoredMetric): Promise<void> {
  // As text: no policy is the null of JSON.
  const opened = await incidents.insert(tx, {
    metric_id: metric.id,
    display_name: metric.display_name,
    spec: showSpec(metric),
    alerting_policy: JSON.stringify(showAlertingPolicy(metric)) as never,
    incident_policy: JSON.stringify(showIncidentPolicy(metric)) as never,
  })
  await events.publish(tx, ['monitoring.incident.created'], showIncident(opened))
}

export async function closeIncident(tx: Scope<Tx>, open: incidents.StoredIncident): Promise<void> {
  // Another process may have opened it, whose clock is ahead.
  const closed_at = new Date(Math.max(tx.clock().getTime(), open.created_at.getTime()))
  const closed = await incidents.update({ ...tx, clock: () => closed_at }, open, { closed_at })
  await events.publish(tx, ['monitoring.incident.closed'], showIncident(closed))
}

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
