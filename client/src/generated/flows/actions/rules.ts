// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

export { delete_ as delete }

/**
 * Get flow rule
 *
 * The rule as it is now. `GET /flows/versions` has its history.
 *
 * Requires the scope `flows.read`.
 */
export function get(
  connection: Connection,
  flow: string,
  action: string,
  ruleId: string,
  options?: Options,
): Promise<T.FlowRule> {
  return send(connection, { method: 'GET', path: path`/flows/${flow}/actions/${action}/rules/${ruleId}` }, options)
}

/**
 * Update flow rule
 *
 * Changes a rule and moves it to `position`. What is left out stays as it is.
 *
 * Requires the scope `flows.write`.
 */
export function update(
  connection: Connection,
  flow: string,
  action: string,
  ruleId: string,
  body: T.FlowRuleUpdate,
  options?: Options,
): Promise<T.FlowRule> {
  return send(connection, { method: 'PUT', path: path`/flows/${flow}/actions/${action}/rules/${ruleId}`, body }, options)
}

/**
 * Delete flow rule
 *
 * The next payment no longer follows it. Earlier versions keep it.
 *
 * Requires the scope `flows.write`.
 */
function delete_(
  connection: Connection,
  flow: string,
  action: string,
  ruleId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/flows/${flow}/actions/${action}/rules/${ruleId}` }, options)
}

/**
 * Create flow rule
 *
 * Adds a rule below the others of its action. Rules are tried from top to bottom, and the first whose conditions are all met decides. The next payment follows it.
 *
 * Requires the scope `flows.write`.
 */
export function create(
  connection: Connection,
  flow: string,
  action: string,
  body: T.FlowRuleCreate,
  options?: Options,
): Promise<T.FlowRule> {
  return send(connection, { method: 'POST', path: path`/flows/${flow}/actions/${action}/rules`, body }, options)
}
