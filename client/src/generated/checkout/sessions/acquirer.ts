// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Get checkout session acquirer
 *
 * For the buyer’s browser. The answer has no data: a browser needs none about the acquirer.
 *
 * Takes no token: anyone who knows the id may call it.
 */
export function get(
  connection: Connection,
  sessionId: string,
  options?: Options,
): Promise<T.CheckoutSessionAcquirer> {
  return send(connection, { method: 'GET', path: path`/checkout/sessions/${sessionId}/acquirer` }, options)
}
