// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List transaction refund settlements
 *
 * Newest first. The data comes from reports of payment services that have `settlement_reporting_enabled`.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.RefundSettlements> {
  return listOf(connection, path`/transactions/${transactionId}/refund-settlements`, undefined, options)
}

/**
 * Get transaction refund settlement
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  transactionId: string,
  settlementId: string,
  options?: Options,
): Promise<T.RefundSettlement> {
  return send(connection, { method: 'GET', path: path`/transactions/${transactionId}/refund-settlements/${settlementId}` }, options)
}
