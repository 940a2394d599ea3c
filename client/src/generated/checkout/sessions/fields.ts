// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Update checkout session fields
 *
 * For the buyer’s browser. The number and the security code are sealed in the vault, and replace those entered before. The code is removed with the first payment, or within 15 minutes.
 *
 * Takes no token: anyone who knows the id may call it.
 */
export function update(
  connection: Connection,
  sessionId: string,
  body: T.CheckoutSessionFields,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'PUT', path: path`/checkout/sessions/${sessionId}/fields`, body }, options)
}

/**
 * Set checkout session fields
 *
 * For the buyer’s browser. The number and the security code are sealed in the vault, and replace those entered before. The code is removed with the first payment, or within 15 minutes.
 *
 * Takes no token: anyone who knows the id may call it.
 */
export function set(
  connection: Connection,
  sessionId: string,
  body: T.CheckoutSessionFields,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'POST', path: path`/checkout/sessions/${sessionId}/fields`, body }, options)
}
