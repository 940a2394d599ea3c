// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Create payment service session
 *
 * For providers whose script in the browser needs a session. A refusal of the provider is answered with `status` `failed`.
 *
 * Requires the scope `transactions.write`.
 */
export function create(
  connection: Connection,
  paymentServiceId: string,
  body: T.CreatePaymentServiceSession,
  options?: Options,
): Promise<T.PaymentServiceSession> {
  return send(connection, { method: 'POST', path: path`/payment-services/${paymentServiceId}/sessions`, body }, options)
}
