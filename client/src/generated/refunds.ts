// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List refunds
 *
 * Refunds of all transactions, newest first. Lists the refunds that match all filters.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListRefundsQuery,
  options?: Options,
): List<T.Refunds> {
  return listOf(connection, '/refunds', query, options)
}

/**
 * Get refund
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  refundId: string,
  options?: Options,
): Promise<T.Refund> {
  return send(connection, { method: 'GET', path: path`/refunds/${refundId}` }, options)
}
