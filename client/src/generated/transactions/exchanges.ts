// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List transaction exchanges
 *
 * What was asked of payment services, gift card services and 3-D Secure services for the transaction, and what they answered, newest first. Card data, secrets and details of the buyer are masked. Exchanges are kept for 30 days, or as `EXCHANGE_RETENTION_DAYS` says. One can be missing if its process was killed.
 *
 * Requires the scope `exchanges.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  query?: T.ListTransactionExchangesQuery,
  options?: Options,
): List<T.TransactionExchanges> {
  return listOf(connection, path`/transactions/${transactionId}/exchanges`, query, options)
}
