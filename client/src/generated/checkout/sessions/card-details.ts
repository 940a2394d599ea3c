// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Get checkout session card details
 *
 * For the buyer’s browser: details of a card by its first digits, while the buyer types.
 *
 * Takes no token: anyone who knows the id may call it.
 */
export function get(
  connection: Connection,
  sessionId: string,
  body: T.CheckoutSessionCardDetailsRequest,
  options?: Options,
): Promise<T.CheckoutSessionCardDetails> {
  return send(connection, { method: 'POST', path: path`/checkout/sessions/${sessionId}/card-details`, body }, options)
}
