// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List transaction chargebacks
 *
 * Newest first. The data comes from reports of payment services that have `settlement_reporting_enabled`.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.Chargebacks> {
  return listOf(connection, path`/transactions/${transactionId}/chargebacks`, undefined, options)
}
