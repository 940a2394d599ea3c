// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as executions from './reports/executions.ts'

/**
 * List reports
 *
 * Newest first. Lists the reports that match all filters.
 *
 * Requires the scope `reports.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListReportsQuery,
  options?: Options,
): List<T.Reports> {
  return listOf(connection, '/reports', query, options)
}

/**
 * Create report
 *
 * With the schedule `once`, a file is written at once. Otherwise the first one is written when the next day, week or month begins in the time zone of the report.
 *
 * Requires the scope `reports.write`.
 */
export function create(
  connection: Connection,
  body: T.ReportCreate,
  options?: Options,
): Promise<T.Report> {
  return send(connection, { method: 'POST', path: '/reports', body }, options)
}

/**
 * Get report
 *
 * Requires the scope `reports.read`.
 */
export function get(
  connection: Connection,
  reportId: string,
  options?: Options,
): Promise<T.Report> {
  return send(connection, { method: 'GET', path: path`/reports/${reportId}` }, options)
}

/**
 * Update report
 *
 * Changes the name, the description, or whether the schedule is enabled. What is left out stays; a description that is null is removed. A schedule that is enabled again goes on with its next time.
 *
 * Requires the scope `reports.write`.
 */
export function update(
  connection: Connection,
  reportId: string,
  body: T.ReportUpdate,
  options?: Options,
): Promise<T.Report> {
  return send(connection, { method: 'PUT', path: path`/reports/${reportId}`, body }, options)
}
