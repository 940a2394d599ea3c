// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create Click to Pay session
 *
 * For the buyer’s browser. The id of its checkout session stands in for a token.
 *
 * Takes no token: anyone who knows the id may call it.
 */
export function create(
  connection: Connection,
  body: T.ClickToPaySessionRequest,
  options?: Options,
): Promise<T.ClickToPaySession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/click-to-pay/session', body }, options)
}
