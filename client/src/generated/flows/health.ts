// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import type * as T from '../types.ts'

/**
 * Get flow health
 *
 * How the payment services of the merchant account have fared lately. Rules with the strategy `success_rate` choose by it. Every attempt teaches, whatever rule sent it there; refusals that any service would have given, such as an empty account, do not count. Merchant accounts never share what they have learned.
 *
 * Requires the scope `flows.read`.
 */
export function get(
  connection: Connection,
  options?: Options,
): List<T.FlowHealth> {
  return listOf(connection, '/flows/health', undefined, options)
}
