// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import type * as T from './types.ts'

/**
 * List payment method definitions
 *
 * Every payment method, with a name and an icon to show beside it.
 *
 * Requires the scope `payment-method-definitions.read`.
 */
export function list(
  connection: Connection,
  options?: Options,
): List<T.PaymentMethodDefinitions> {
  return listOf(connection, '/payment-method-definitions', undefined, options)
}
