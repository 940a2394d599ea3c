// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Create flow back test
 *
 * Tries rules on payments of the past: the newest rules, an earlier version, or rules that are not stored yet. A job goes through the payments; `GET /flows/back-tests/{flow_back_test_id}` shows how far it is, then the result. No payment changes, and no provider is asked.
 *
 * Requires the scope `flows.read` and `transactions.read`.
 */
export function create(
  connection: Connection,
  body: T.FlowBackTestCreate,
  options?: Options,
): Promise<T.FlowBackTest> {
  return send(connection, { method: 'POST', path: '/flows/back-tests', body }, options)
}

/**
 * List flow back tests
 *
 * Newest first, without their results.
 *
 * Requires the scope `flows.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListFlowBackTestsQuery,
  options?: Options,
): List<T.FlowBackTests> {
  return listOf(connection, '/flows/back-tests', query, options)
}

/**
 * Get flow back test
 *
 * How far it is, and what it has found once it is done.
 *
 * Requires the scope `flows.read`.
 */
export function get(
  connection: Connection,
  flowBackTestId: string,
  options?: Options,
): Promise<T.FlowBackTest> {
  return send(connection, { method: 'GET', path: path`/flows/back-tests/${flowBackTestId}` }, options)
}
