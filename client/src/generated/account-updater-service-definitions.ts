// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List account updater service definitions
 *
 * The providers for which an account updater service can be created, and the schemes that each knows.
 *
 * Requires the scope `account-updater-service-definitions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListAccountUpdaterServiceDefinitionsQuery,
  options?: Options,
): List<T.AccountUpdaterServiceDefinitions> {
  return listOf(connection, '/account-updater-service-definitions', query, options)
}

/**
 * Get account updater service definition
 *
 * Requires the scope `account-updater-service-definitions.read`.
 */
export function get(
  connection: Connection,
  accountUpdaterServiceDefinitionId: string,
  options?: Options,
): Promise<T.AccountUpdaterServiceDefinition> {
  return send(connection, { method: 'GET', path: path`/account-updater-service-definitions/${accountUpdaterServiceDefinitionId}` }, options)
}
