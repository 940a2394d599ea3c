// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create Google Pay session
 *
 * What the page hands to Google’s button. It needs neither a wallet nor a registered domain.
 *
 * Requires the scope `digital-wallets.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.GooglePaySessionRequest,
  options?: Options,
): Promise<T.GooglePaySession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/google/session', body }, options)
}
