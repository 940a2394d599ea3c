// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import type * as T from '../types.ts'

/**
 * List buyer gift cards
 *
 * Lists the cards with their balances. Cards that have expired or are empty are deleted instead. Cards without an available balance are listed.
 *
 * Requires the scope `gift-cards.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListBuyerGiftCardsQuery,
  options?: Options,
): List<T.GiftCardSummaries> {
  return listOf(connection, '/buyers/gift-cards', query, options)
}
