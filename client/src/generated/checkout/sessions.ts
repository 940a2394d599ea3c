// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export * as acquirer from './sessions/acquirer.ts'
export * as cardDetails from './sessions/card-details.ts'
export * as fields from './sessions/fields.ts'
export * as page from './sessions/page.ts'
export { delete_ as delete }

/**
 * Create checkout session
 *
 * The buyer’s browser uses the session’s id to enter a card that your server never sees. Pay with `POST /transactions` and the method `checkout-session`. The session’s order fills the gaps of that request.
 *
 * Requires the scope `checkout-sessions.write`.
 */
export function create(
  connection: Connection,
  body?: T.CreateCheckoutSession,
  options?: Options,
): Promise<T.CheckoutSession> {
  return send(connection, { method: 'POST', path: '/checkout/sessions', body }, options)
}

/**
 * Get checkout session
 *
 * Includes the visible details of the entered card.
 *
 * Requires the scope `checkout-sessions.read`.
 */
export function get(
  connection: Connection,
  sessionId: string,
  options?: Options,
): Promise<T.CheckoutSession> {
  return send(connection, { method: 'GET', path: path`/checkout/sessions/${sessionId}` }, options)
}

/**
 * Update checkout session
 *
 * Fields that are left out stay as they are, and so does the entered card.
 *
 * Requires the scope `checkout-sessions.write`.
 */
export function update(
  connection: Connection,
  sessionId: string,
  body: T.UpdateCheckoutSession,
  options?: Options,
): Promise<T.CheckoutSession> {
  return send(connection, { method: 'PUT', path: path`/checkout/sessions/${sessionId}`, body }, options)
}

/**
 * Delete checkout session
 *
 * Deletes the session and removes its entered card from the vault.
 *
 * Requires the scope `checkout-sessions.write`.
 */
function delete_(
  connection: Connection,
  sessionId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/checkout/sessions/${sessionId}` }, options)
}
