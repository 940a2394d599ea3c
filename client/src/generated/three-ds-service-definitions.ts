// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List 3-D Secure service definitions
 *
 * The providers for which a 3-D Secure service can be created, and what each supports.
 *
 * Requires the scope `three-ds-service-definitions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListThreeDsServiceDefinitionsQuery,
  options?: Options,
): List<T.ThreeDSServiceDefinitions> {
  return listOf(connection, '/three-ds-service-definitions', query, options)
}

/**
 * Get 3-D Secure service definition
 *
 * Requires the scope `three-ds-service-definitions.read`.
 */
export function get(
  connection: Connection,
  threeDsServiceDefinitionId: string,
  options?: Options,
): Promise<T.ThreeDSServiceDefinition> {
  return send(connection, { method: 'GET', path: path`/three-ds-service-definitions/${threeDsServiceDefinitionId}` }, options)
}
