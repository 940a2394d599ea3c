// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Open transaction session
 *
 * For the buyer’s browser: data for the provider’s own script, with which the buyer approves the payment. It takes no authorization header, but the `session_token` of the transaction, which is there while the payment waits for the buyer, and only if the payment service has sessions. With any other token, and once the payment is decided or the time to approve has passed, it answers 404.
 *
 * Takes no token: anyone who knows the id may call it.
 */
export function update(
  connection: Connection,
  transactionId: string,
  body?: T.UpdateTransactionSession,
  query?: T.UpdateTransactionSessionQuery,
  options?: Options,
): Promise<T.TransactionSession> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/session`, query, body }, options)
}
