// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List 3DS scenarios
 *
 * Newest first. Sandbox only.
 *
 * Requires the scope `three-ds-scenarios.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListThreeDsScenariosQuery,
  options?: Options,
): List<T.ThreeDSScenarios> {
  return listOf(connection, '/three-ds-scenarios', query, options)
}

/**
 * Create 3DS scenario
 *
 * Says what the simulated issuer answers about payments that meet all conditions. If several scenarios fit, the one with the most conditions applies, then the newest. Without conditions it fits every payment. Where none fits, the number of the test card decides. Sandbox only.
 *
 * Requires the scope `three-ds-scenarios.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateThreeDSScenario,
  options?: Options,
): Promise<T.ThreeDSScenario> {
  return send(connection, { method: 'POST', path: '/three-ds-scenarios', body }, options)
}

/**
 * Update 3DS scenario
 *
 * Replaces the conditions, the outcome, or both. What is left out or null stays as it is. A card number that is sent back as it was shown stays, too. Sandbox only.
 *
 * Requires the scope `three-ds-scenarios.write`.
 */
export function update(
  connection: Connection,
  threeDsScenarioId: string,
  body: T.UpdateThreeDSScenario,
  options?: Options,
): Promise<T.ThreeDSScenario> {
  return send(connection, { method: 'PUT', path: path`/three-ds-scenarios/${threeDsScenarioId}`, body }, options)
}

/**
 * Delete 3DS scenario
 *
 * Payments that wait for their buyer keep the answers that they began with. Sandbox only.
 *
 * Requires the scope `three-ds-scenarios.write`.
 */
function delete_(
  connection: Connection,
  threeDsScenarioId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/three-ds-scenarios/${threeDsScenarioId}` }, options)
}
