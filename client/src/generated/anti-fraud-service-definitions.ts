// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List anti-fraud service definitions
 *
 * The providers for which an anti-fraud service can be created, and what each supports.
 *
 * Requires the scope `anti-fraud-service-definitions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListAntiFraudServiceDefinitionsQuery,
  options?: Options,
): List<T.AntiFraudServiceDefinitions> {
  return listOf(connection, '/anti-fraud-service-definitions', query, options)
}

/**
 * Get anti-fraud service definition
 *
 * Requires the scope `anti-fraud-service-definitions.read`.
 */
export function get(
  connection: Connection,
  antiFraudServiceDefinitionId: string,
  options?: Options,
): Promise<T.AntiFraudServiceDefinition> {
  return send(connection, { method: 'GET', path: path`/anti-fraud-service-definitions/${antiFraudServiceDefinitionId}` }, options)
}
