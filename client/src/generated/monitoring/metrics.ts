// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export * as incidents from './metrics/incidents.ts'
export { delete_ as delete }

/**
 * List metrics
 *
 * Newest first, each with its samples of an interval. Samples are kept for 30 days.
 *
 * Requires the scope `monitoring.read`.
 */
export function list(
  connection: Connection,
  query: T.ListMonitoringMetricsQuery,
  options?: Options,
): List<T.MonitoringMetrics> {
  return listOf(connection, '/monitoring/metrics', query, options)
}

/**
 * Create metric
 *
 * Watches the authorization rate: a sample is taken every minute. With an alerting policy, a sample is healthy or an alert. With an incident policy, alerts in a row open an incident, and healthy samples in a row close it. A merchant account has at most 10 metrics, and no two with the same period, filters and thresholds.
 *
 * Requires the scope `monitoring.write`.
 */
export function create(
  connection: Connection,
  body: T.MonitoringMetricCreate,
  options?: Options,
): Promise<T.MonitoringMetric> {
  return send(connection, { method: 'POST', path: '/monitoring/metrics', body }, options)
}

/**
 * Get metric
 *
 * With its samples, if you name an interval.
 *
 * Requires the scope `monitoring.read`.
 */
export function get(
  connection: Connection,
  metricId: string,
  query?: T.GetMonitoringMetricQuery,
  options?: Options,
): Promise<T.MonitoringMetric> {
  return send(connection, { method: 'GET', path: path`/monitoring/metrics/${metricId}`, query }, options)
}

/**
 * Update metric
 *
 * Changes the name and the policies; what is watched stays. New thresholds begin a new count of samples in a row. An open incident stays open, unless a policy becomes null: then it is closed.
 *
 * Requires the scope `monitoring.write`.
 */
export function update(
  connection: Connection,
  metricId: string,
  body: T.MonitoringMetricUpdate,
  options?: Options,
): Promise<T.MonitoringMetric> {
  return send(connection, { method: 'PUT', path: path`/monitoring/metrics/${metricId}`, body }, options)
}

/**
 * Delete metric
 *
 * Its samples go, its incidents stay. An open one is closed. The answer is 200 without a body.
 *
 * Requires the scope `monitoring.write`.
 */
function delete_(
  connection: Connection,
  metricId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/monitoring/metrics/${metricId}` }, options)
}
