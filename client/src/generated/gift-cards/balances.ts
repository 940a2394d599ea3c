// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * List gift card balances
 *
 * Answers in the order of the request. The installation limits the number of cards. A balance that is not available is null, and `balance_error_code` says why. A browser token sees only its own buyer’s stored cards.
 *
 * Requires the scope `gift-cards.read`, or a browser token with `embed`.
 */
export function list(
  connection: Connection,
  body: T.GiftCardBalanceRequest,
  options?: Options,
): Promise<T.GiftCardSummaries> {
  return send(connection, { method: 'POST', path: '/gift-cards/balances', body }, options)
}
