// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List transaction refunds
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  transactionId: string,
  options?: Options,
): List<T.Refunds> {
  return listOf(connection, path`/transactions/${transactionId}/refunds`, undefined, options)
}

/**
 * Refund transaction
 *
 * Refunds what was captured, whole or in parts. Concurrent refunds never exceed the captured amount: those that do not fit are refused.
 *
 * Requires the scope `transactions.write` or `transactions.follow-ups.write`.
 */
export function create(
  connection: Connection,
  transactionId: string,
  body: T.RefundCreate,
  options?: Options,
): Promise<T.Refund> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/refunds`, body }, options)
}

/**
 * Get transaction refund
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  transactionId: string,
  refundId: string,
  options?: Options,
): Promise<T.Refund> {
  return send(connection, { method: 'GET', path: path`/transactions/${transactionId}/refunds/${refundId}` }, options)
}

/**
 * Refund transaction in full
 *
 * Makes one refund for each instrument that paid. Either all are recorded, or none is. If nothing is left, the list is empty.
 *
 * Requires the scope `transactions.write` and `gift-cards.write` or `transactions.follow-ups.write`.
 */
export function createAll(
  connection: Connection,
  transactionId: string,
  body?: T.RefundAllCreate,
  options?: Options,
): Promise<T.Refunds> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/refunds/all`, body }, options)
}
