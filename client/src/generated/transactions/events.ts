// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List transaction events
 *
 * The history of the transaction, newest first: each attempt at a payment service with its answer, and each change of status.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  query?: T.ListTransactionEventsQuery,
  options?: Options,
): List<T.TransactionEvents> {
  return listOf(connection, path`/transactions/${transactionId}/events`, query, options)
}
