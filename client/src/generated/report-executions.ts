// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List all report executions
 *
 * Newest first. Lists the executions that match all filters.
 *
 * Requires the scope `reports.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListAllReportExecutionsQuery,
  options?: Options,
): List<T.ReportExecutions> {
  return listOf(connection, '/report-executions', query, options)
}

/**
 * Get report execution
 *
 * Requires the scope `reports.read`.
 */
export function get(
  connection: Connection,
  reportExecutionId: string,
  options?: Options,
): Promise<T.ReportExecution> {
  return send(connection, { method: 'GET', path: path`/report-executions/${reportExecutionId}` }, options)
}
