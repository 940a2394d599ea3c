// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List flow versions
 *
 * Every change of a rule made one. Newest first.
 *
 * Requires the scope `flows.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListFlowVersionsQuery,
  options?: Options,
): List<T.FlowVersions> {
  return listOf(connection, '/flows/versions', query, options)
}

/**
 * Create flow version
 *
 * Goes back to the rules of an earlier version, as a new version. The versions in between stay.
 *
 * Requires the scope `flows.write`.
 */
export function create(
  connection: Connection,
  body: T.FlowVersionCreate,
  options?: Options,
): Promise<T.FlowVersion> {
  return send(connection, { method: 'POST', path: '/flows/versions', body }, options)
}

/**
 * Get flow version
 *
 * All rules of the merchant account as they were in this version.
 *
 * Requires the scope `flows.read`.
 */
export function get(
  connection: Connection,
  flowVersionId: string,
  options?: Options,
): Promise<T.FlowVersion> {
  return send(connection, { method: 'GET', path: path`/flows/versions/${flowVersionId}` }, options)
}
