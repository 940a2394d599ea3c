// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List gift card service definitions
 *
 * The providers for which a gift card service can be created, and what each supports.
 *
 * Requires the scope `gift-card-service-definitions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListGiftCardServiceDefinitionsQuery,
  options?: Options,
): List<T.GiftCardServiceDefinitions> {
  return listOf(connection, '/gift-card-service-definitions', query, options)
}

/**
 * Get gift card service definition
 *
 * Requires the scope `gift-card-service-definitions.read`.
 */
export function get(
  connection: Connection,
  giftCardServiceDefinitionId: string,
  options?: Options,
): Promise<T.GiftCardServiceDefinition> {
  return send(connection, { method: 'GET', path: path`/gift-card-service-definitions/${giftCardServiceDefinitionId}` }, options)
}
