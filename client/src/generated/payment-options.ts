// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List payment options
 *
 * How a buyer can pay: the methods of the active payment services that take this payment, in their order, then the registered digital wallets that they take. A rule of the flow `checkout` may hide or reorder them. Fields that are left out exclude nothing.
 *
 * Requires the scope `payment-options.read`, or a browser token with `embed`.
 */
export function list(
  connection: Connection,
  body: T.PaymentOptionRequest,
  options?: Options,
): Promise<T.PaymentOptions> {
  return send(connection, { method: 'POST', path: '/payment-options', body }, options)
}
