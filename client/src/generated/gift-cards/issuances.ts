// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Issue gift card
 *
 * Asks the gift card service to issue a new card, if it supports that. `url` shows the card to its buyer, and is in no other answer. Send an idempotency key, so that a retry does not issue a second card.
 *
 * Requires the scope `gift-cards.write`.
 */
export function create(
  connection: Connection,
  body: T.IssueGiftCard,
  options?: Options,
): Promise<T.GiftCardIssuance> {
  return send(connection, { method: 'POST', path: '/gift-cards/issuances', body }, options)
}
