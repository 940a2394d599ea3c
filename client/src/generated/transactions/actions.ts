// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List transaction actions
 *
 * The rules that decided about the transaction, and their outcomes. Empty if no rule matched.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.TransactionActions> {
  return listOf(connection, path`/transactions/${transactionId}/actions`, undefined, options)
}
