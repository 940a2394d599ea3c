// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create Paze session
 *
 * By what Paze knows the merchant. With the source `mobile`, also what an app needs for the next steps.
 *
 * Requires the scope `digital-wallets.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.PazeSessionRequest,
  options?: Options,
): Promise<T.PazeSession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/paze/session', body }, options)
}
