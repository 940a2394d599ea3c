// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Erase buyer
 *
 * Deletes the buyer, its shipping details, stored payment methods and gift cards, and takes everything personal out of its payments, events, webhook deliveries, exchanges, payouts, payment links and report files. Amounts, times and references stay. It cannot be undone. A buyer with an open payment or a pending payout is refused. A repeated request gets the first erasure. A signed-in user must have proved within the last ten minutes who they are.
 *
 * Requires the scope `personal-data.write`.
 */
export function erase(
  connection: Connection,
  buyerId: string,
  options?: Options,
): Promise<T.BuyerErasure> {
  return send(connection, { method: 'POST', path: path`/buyers/${buyerId}/erasure` }, options)
}

/**
 * Get buyer erasure
 *
 * How far the erasure of a buyer is. It stays, as a proof.
 *
 * Requires the scope `personal-data.read`.
 */
export function get(
  connection: Connection,
  buyerId: string,
  options?: Options,
): Promise<T.BuyerErasure> {
  return send(connection, { method: 'GET', path: path`/buyers/${buyerId}/erasure` }, options)
}
