// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { send } from '../send.ts'

export * as authentications from './vault-forward/authentications.ts'
export * as endpoints from './vault-forward/endpoints.ts'

/**
 * Forward card data
 *
 * Passes the body on to another server, with card data in its places: `{{ CARD_NUMBER_1 }}` becomes the number of the first card. The answer is that of the other server: status, headers and body, with `***` for card numbers. If none came, the answer is 200 with an empty body. `X-Vault-Forward-Outcome` tells: `answered`, `timed_out`, `unreachable`, `address_refused`, `answer_broken`, or `unknown` for a repeated request whose first try was cut off.
 *
 * Requires the scope `vault-forward.write`.
 */
export function forward(
  connection: Connection,
  body: Record<string, unknown>,
  options?: Options,
): Promise<unknown> {
  return send(connection, { method: 'POST', path: '/vault-forward', body }, options)
}
