// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Increment authorization
 *
 * Raises the authorized amount, if the payment service supports it.
 *
 * Requires the scope `transactions.write`.
 */
export function increment(
  connection: Connection,
  transactionId: string,
  body: T.TransactionAuthorizationIncrementCreate,
  options?: Options,
): Promise<T.TransactionAuthorizationIncrement> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/authorization/increment`, body }, options)
}
