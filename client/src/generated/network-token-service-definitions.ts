// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List network token service definitions
 *
 * The providers for which a network token service can be created, and what each supports.
 *
 * Requires the scope `network-token-service-definitions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListNetworkTokenServiceDefinitionsQuery,
  options?: Options,
): List<T.NetworkTokenServiceDefinitions> {
  return listOf(connection, '/network-token-service-definitions', query, options)
}

/**
 * Get network token service definition
 *
 * Requires the scope `network-token-service-definitions.read`.
 */
export function get(
  connection: Connection,
  networkTokenServiceDefinitionId: string,
  options?: Options,
): Promise<T.NetworkTokenServiceDefinition> {
  return send(connection, { method: 'GET', path: path`/network-token-service-definitions/${networkTokenServiceDefinitionId}` }, options)
}
