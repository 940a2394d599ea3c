// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as activations from './gift-cards/activations.ts'
export * as balances from './gift-cards/balances.ts'
export * as issuances from './gift-cards/issuances.ts'
export { delete_ as delete }

/**
 * List gift cards
 *
 * Stored gift cards, newest first. Deleted ones are not listed.
 *
 * Requires the scope `gift-cards.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListGiftCardsQuery,
  options?: Options,
): List<T.GiftCards> {
  return listOf(connection, '/gift-cards', query, options)
}

/**
 * Create gift card
 *
 * We first ask the active gift card service about the card. Number and PIN are sealed in the vault. A browser token stores the card for the buyer that it pins.
 *
 * Requires the scope `gift-cards.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.CreateGiftCard,
  options?: Options,
): Promise<T.GiftCard> {
  return send(connection, { method: 'POST', path: '/gift-cards', body }, options)
}

/**
 * Get gift card
 *
 * Requires the scope `gift-cards.read`.
 */
export function get(
  connection: Connection,
  giftCardId: string,
  options?: Options,
): Promise<T.GiftCard> {
  return send(connection, { method: 'GET', path: path`/gift-cards/${giftCardId}` }, options)
}

/**
 * Delete gift card
 *
 * The number and PIN leave the vault at once. The balance stays on the card.
 *
 * Requires the scope `gift-cards.write`.
 */
function delete_(
  connection: Connection,
  giftCardId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/gift-cards/${giftCardId}` }, options)
}
