// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List API logs
 *
 * The requests to this API and how they were answered, newest first, without bodies. They are kept for 7 days, or as `API_LOG_RETENTION_DAYS` says. They are written a second later, beside the requests: those of the last second are missing if a process was killed.
 *
 * Requires the scope `api-logs.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListApiLogsQuery,
  options?: Options,
): List<T.APILogs> {
  return listOf(connection, '/api-logs', query, options)
}

/**
 * Get API log
 *
 * Requires the scope `api-logs.read`.
 */
export function get(
  connection: Connection,
  apiLogId: string,
  options?: Options,
): Promise<T.APILog> {
  return send(connection, { method: 'GET', path: path`/api-logs/${apiLogId}` }, options)
}
