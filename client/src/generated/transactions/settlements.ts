// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List transaction settlements
 *
 * Newest first. The data comes from reports of payment services that have `settlement_reporting_enabled`.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.Settlements> {
  return listOf(connection, path`/transactions/${transactionId}/settlements`, undefined, options)
}

/**
 * Get transaction settlement
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  transactionId: string,
  settlementId: string,
  options?: Options,
): Promise<T.Settlement> {
  return send(connection, { method: 'GET', path: path`/transactions/${transactionId}/settlements/${settlementId}` }, options)
}
