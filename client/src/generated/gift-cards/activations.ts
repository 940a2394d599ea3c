// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Activate gift card
 *
 * Puts an amount on a gift card that was sold. With `store`, the card is stored as well. Without it, the answer’s `id` is that of the activation. Send an idempotency key, so that a retry does not activate the card twice. A browser token has to pin the amount and the currency.
 *
 * Requires the scope `gift-cards.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.ActivateGiftCard,
  options?: Options,
): Promise<T.GiftCard> {
  return send(connection, { method: 'POST', path: '/gift-cards/activations', body }, options)
}
