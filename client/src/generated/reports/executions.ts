// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

export * as url from './executions/url.ts'

/**
 * List report executions
 *
 * Newest first.
 *
 * Requires the scope `reports.read`.
 */
export function list(
  connection: Connection,
  reportId: string,
  query?: T.ListReportExecutionsQuery,
  options?: Options,
): List<T.ReportExecutions> {
  return listOf(connection, path`/reports/${reportId}/executions`, query, options)
}
