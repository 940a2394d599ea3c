// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Get checkout session page
 *
 * Requires the scope `checkout-sessions.read`.
 */
export function get(
  connection: Connection,
  sessionId: string,
  options?: Options,
): Promise<T.CheckoutPage> {
  return send(connection, { method: 'GET', path: path`/checkout/sessions/${sessionId}/page` }, options)
}

/**
 * Update checkout session page
 *
 * Makes the page if there is none. Send the buyer to `url`, a page of this service where the session’s order is paid once. The payment is a transaction with `checkout_session_id`. Fields that are left out stay as they are.
 *
 * Requires the scope `checkout-sessions.write`.
 */
export function update(
  connection: Connection,
  sessionId: string,
  body: T.UpdateCheckoutPage,
  options?: Options,
): Promise<T.CheckoutPage> {
  return send(connection, { method: 'PUT', path: path`/checkout/sessions/${sessionId}/page`, body }, options)
}

/**
 * Open checkout page
 *
 * For a page of the shop, with a browser token: makes the page of an order, for a frame of this origin. The drop-in form of public packages begins so. A token with a `checkout_session_id` opens the page of that session. Stored cards are shown only of a buyer whom the token names.
 *
 * Requires the scope `transactions.write`, or a browser token with `embed`.
 */
export function open(
  connection: Connection,
  body: T.OpenCheckoutPage,
  options?: Options,
): Promise<T.CheckoutPage> {
  return send(connection, { method: 'POST', path: '/checkout/sessions/page', body }, options)
}
