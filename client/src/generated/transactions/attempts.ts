// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List transaction attempts
 *
 * What was asked of payment services and gift card services for the transaction, and what is known of each outcome, newest first. Its exchanges say how it was asked. The newest 100.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.TransactionAttempts> {
  return listOf(connection, path`/transactions/${transactionId}/attempts`, undefined, options)
}
