// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List transaction captures
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.Captures> {
  return listOf(connection, path`/transactions/${transactionId}/captures`, undefined, options)
}

/**
 * Get transaction capture
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  transactionId: string,
  captureId: string,
  options?: Options,
): Promise<T.Capture> {
  return send(connection, { method: 'GET', path: path`/transactions/${transactionId}/captures/${captureId}` }, options)
}
