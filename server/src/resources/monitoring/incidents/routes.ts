import { inTransaction, type Scope } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { intervalComplaints, intervalOf } from '../interval.ts'
import * as metrics from '../metrics/store.ts'
import { showIncident } from './change.ts'
import {
  MonitoringIncident,
  MonitoringIncidentFilters,
  MonitoringIncidents,
  UpdateMonitoringIncident,
} from './schemas.ts'
import * as incidents from './store.ts'

const operation = operationsOf({ tag: 'Monitoring', concerns: 'merchant-account', scopes: 'monitoring' })

export const monitoringIncidentRoutes: readonly Operation[] = [
  operation({
    id: 'list_monitoring_incidents',
    route: 'GET /monitoring/incidents',
    summary: 'List incidents',
    description: 'Newest first. Incidents are kept for 365 days after they were closed.',
    isList: true,
    query: MonitoringIncidentFilters,
    check: ({ query }, { now }) =>
      intervalComplaints(query.timestamp_interval, now, { name: 'timestamp_interval' }),
    responses: { 200: MonitoringIncidents },
    handler: async ({ context, reach, query }) => {
      const page = await incidents.list(context, reach, listed(query, context.clock()))
      return { ...page, items: page.items.map(showIncident) }
    },
  }),

  operation({
    id: 'get_monitoring_incident',
    route: 'GET /monitoring/incidents/:incident_id',
    summary: 'Get incident',
    responses: { 200: MonitoringIncident },
    handler: async (call) => {
      const incident = orNotFound(await incidents.find(scopeOf(call), call.params.incident_id))
      return showIncident(incident)
    },
  }),

  operation({
    id: 'update_monitoring_incident',
    route: 'PUT /monitoring/incidents/:incident_id',
    summary: 'Update incident',
    description: 'Replaces the notes; null removes them. Samples alone open and close incidents.',
    body: UpdateMonitoringIncident,
    responses: { 200: MonitoringIncident },
    handler: (call) => updateIncident(scopeOf(call), call.params.incident_id, call.body),
  }),

  operation({
    id: 'list_monitoring_metric_incidents',
    route: 'GET /monitoring/metrics/:metric_id/incidents',
    summary: 'List metric incidents',
    description: 'Newest first. Incidents of a deleted metric are in the list of all incidents.',
    params: Strict({ metric_id: Uuid() }),
    query: MonitoringIncidentFilters,
    check: ({ query }, { now }) =>
      intervalComplaints(query.timestamp_interval, now, { name: 'timestamp_interval' }),
    responses: { 200: MonitoringIncidents },
    handler: async (call) => {
      const { context, query } = call
      const metric = orNotFound(await metrics.find(scopeOf(call), call.params.metric_id))
      const page = await incidents.listOf(context, metric.id, listed(query, context.clock()))
      return { ...page, items: page.items.map(showIncident) }
    },
  }),
]

function listed({ timestamp_interval: text, ...page }: MonitoringIncidentFilters, now: Date) {
  return { page, opened: text === undefined ? null : intervalOf(text, now) }
}

/** Samples alone open and close incidents. People write what they know about one. */
function updateIncident(
  scope: Scope,
  id: string,
  { notes }: UpdateMonitoringIncident,
): Promise<MonitoringIncident> {
  return inTransaction(scope, async (tx) => {
    const before = orNotFound(await incidents.lock(tx, id))
    const after = await incidents.update(tx, before, { notes })
    await auditLogs.record(tx, 'updated', { type: 'monitoring.incident', id, name: after.display_name })
    return showIncident(after)
  })
}
