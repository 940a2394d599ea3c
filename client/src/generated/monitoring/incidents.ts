// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List incidents
 *
 * Newest first. Incidents are kept for 365 days after they were closed.
 *
 * Requires the scope `monitoring.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListMonitoringIncidentsQuery,
  options?: Options,
): List<T.MonitoringIncidents> {
  return listOf(connection, '/monitoring/incidents', query, options)
}

/**
 * Get incident
 *
 * Requires the scope `monitoring.read`.
 */
export function get(
  connection: Connection,
  incidentId: string,
  options?: Options,
): Promise<T.MonitoringIncident> {
  return send(connection, { method: 'GET', path: path`/monitoring/incidents/${incidentId}` }, options)
}

/**
 * Update incident
 *
 * Replaces the notes; null removes them. Samples alone open and close incidents.
 *
 * Requires the scope `monitoring.write`.
 */
export function update(
  connection: Connection,
  incidentId: string,
  body: T.MonitoringIncidentUpdate,
  options?: Options,
): Promise<T.MonitoringIncident> {
  return send(connection, { method: 'PUT', path: path`/monitoring/incidents/${incidentId}`, body }, options)
}
