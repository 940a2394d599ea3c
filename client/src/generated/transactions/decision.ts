// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Get transaction decision
 *
 * Why the payment went where it went, in words: the version of the rules, the rules that decided, the rules that were passed over and on which condition, and the payment services that were asked or skipped.
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  transactionId: string,
  options?: Options,
): Promise<T.TransactionDecision> {
  return send(connection, { method: 'GET', path: path`/transactions/${transactionId}/decision` }, options)
}
