// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create sandbox chargeback
 *
 * Makes the simulated processor charge back a captured payment, or reverse a chargeback. The next settlement file of the payment service says so, and a notification if the service’s field `dispute_notifications` is `true`. Sandbox only.
 *
 * Requires the scope `sandbox.write`.
 */
export function create(
  connection: Connection,
  paymentServiceId: string,
  body: T.CreateSandboxChargeback,
  options?: Options,
): Promise<T.SandboxChargeback> {
  return send(connection, { method: 'POST', path: path`/sandbox/payment-services/${paymentServiceId}/chargebacks`, body }, options)
}
