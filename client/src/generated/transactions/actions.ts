// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List transaction actions
 *
 * The decisions of rules about the transaction. There are no rules yet: payment services are chosen by position, and the list is empty.
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
