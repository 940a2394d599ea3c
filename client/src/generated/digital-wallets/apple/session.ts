// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create Apple Pay session
 *
 * Asks Apple with the wallet’s merchant identity, for a page on a registered domain. In a sandbox, a simulated Apple answers.
 *
 * Requires the scope `digital-wallets.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.ApplePaySessionRequest,
  options?: Options,
): Promise<T.ApplePaySession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/apple/session', body }, options)
}
