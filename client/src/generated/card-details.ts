// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * Get card details
 *
 * Details of a card by the first digits of its number, or of a stored card: its schemes, its country, and whether it is a credit, debit or prepaid card.
 *
 * Requires the scope `bin-checker.read`, or a browser token with `embed`.
 */
export function get(
  connection: Connection,
  query: T.GetCardDetailsQuery,
  options?: Options,
): Promise<T.CardDetail> {
  return send(connection, { method: 'GET', path: '/card-details', query }, options)
}
