// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List payouts
 *
 * Newest first. Lists the payouts that match all filters.
 *
 * Requires the scope `payouts.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListPayoutsQuery,
  options?: Options,
): List<T.Payouts> {
  return listOf(connection, '/payouts', query, options)
}

/**
 * Create payout
 *
 * Sends money to a card, by its number or stored. A declined or failed payout is answered with 201, too: see `status`. The events `payout.declined` and `payout.failed` tell why. A payout stays `pending` while its outcome is not known. Send an idempotency key, so that a retry does not pay out twice.
 *
 * Requires the scope `payouts.write`.
 */
export function create(
  connection: Connection,
  body: T.PayoutCreate,
  options?: Options,
): Promise<T.Payout> {
  return send(connection, { method: 'POST', path: '/payouts', body }, options)
}

/**
 * Get payout
 *
 * Requires the scope `payouts.read`.
 */
export function get(
  connection: Connection,
  payoutId: string,
  options?: Options,
): Promise<T.Payout> {
  return send(connection, { method: 'GET', path: path`/payouts/${payoutId}` }, options)
}
