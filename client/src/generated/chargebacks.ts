// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as answer from './chargebacks/answer.ts'

/**
 * List chargebacks
 *
 * Chargebacks of all transactions of the merchant account, newest first, with their deadlines and answers.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListChargebacksQuery,
  options?: Options,
): List<T.ChargebackCases> {
  return listOf(connection, '/chargebacks', query, options)
}

/**
 * Get chargeback
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  chargebackId: string,
  options?: Options,
): Promise<T.ChargebackCase> {
  return send(connection, { method: 'GET', path: path`/chargebacks/${chargebackId}` }, options)
}
