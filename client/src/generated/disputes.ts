// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as evidence from './disputes/evidence.ts'
export * as evidenceFields from './disputes/evidence-fields.ts'

/**
 * List disputes
 *
 * Disputes of all transactions of the merchant account, newest first: each with its stage, its deadline and its steps.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListDisputesQuery,
  options?: Options,
): List<T.Disputes> {
  return listOf(connection, '/disputes', query, options)
}

/**
 * Get dispute
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  disputeId: string,
  options?: Options,
): Promise<T.Dispute> {
  return send(connection, { method: 'GET', path: path`/disputes/${disputeId}` }, options)
}

/**
 * Accept dispute
 *
 * Gives the money up at the payment service. It cannot be taken back. An answer that the payment service did not take is answered with 200, too: see `answer`. Send an idempotency key, so that a retry goes on with the same answer.
 *
 * Requires the scope `transactions.write`.
 */
export function accept(
  connection: Connection,
  disputeId: string,
  options?: Options,
): Promise<T.Dispute> {
  return send(connection, { method: 'POST', path: path`/disputes/${disputeId}/accept` }, options)
}
