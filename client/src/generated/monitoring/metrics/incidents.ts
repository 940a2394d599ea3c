// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { type List, list as listOf } from '../../../list.ts'
import { path } from '../../../path.ts'
import type * as T from '../../types.ts'

/**
 * List metric incidents
 *
 * Newest first. Incidents of a deleted metric are in the list of all incidents.
 *
 * Requires the scope `monitoring.read`.
 */
export function list(
  connection: Connection,
  metricId: string,
  query?: T.ListMonitoringMetricIncidentsQuery,
  options?: Options,
): List<T.MonitoringIncidents> {
  return listOf(connection, path`/monitoring/metrics/${metricId}/incidents`, query, options)
}
