// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import type * as T from './types.ts'

/**
 * List card scheme definitions
 *
 * Every card scheme, with a name and an icon to show beside a card.
 *
 * Requires the scope `card-scheme-definitions.read`.
 */
export function list(
  connection: Connection,
  options?: Options,
): List<T.CardSchemeDefinitions> {
  return listOf(connection, '/card-scheme-definitions', undefined, options)
}
