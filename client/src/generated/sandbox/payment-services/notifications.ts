// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create sandbox notification
 *
 * Makes the simulated processor send a notification about a payment: that something pending has ended, or again what it said last. It is taken as if it had come over the network, so it shows what late and repeated notifications do. Sandbox only.
 *
 * Requires the scope `sandbox.write`.
 */
export function create(
  connection: Connection,
  paymentServiceId: string,
  body: T.CreateSandboxNotification,
  options?: Options,
): Promise<T.SandboxNotification> {
  return send(connection, { method: 'POST', path: path`/sandbox/payment-services/${paymentServiceId}/notifications`, body }, options)
}
