// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * Update chargeback answer
 *
 * Notes that you have answered the chargeback at the payment service, with a text for your colleagues. Nothing is sent to the payment service. The chargeback no longer needs attention, and the audit log names you.
 *
 * Requires the scope `transactions.write` or `transactions.follow-ups.write`.
 */
export function update(
  connection: Connection,
  chargebackId: string,
  body: T.ChargebackAnswer,
  options?: Options,
): Promise<T.ChargebackCase> {
  return send(connection, { method: 'PUT', path: path`/chargebacks/${chargebackId}/answer`, body }, options)
}

/**
 * Delete chargeback answer
 *
 * Removes the note, so that the chargeback needs attention again.
 *
 * Requires the scope `transactions.write` or `transactions.follow-ups.write`.
 */
function delete_(
  connection: Connection,
  chargebackId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/chargebacks/${chargebackId}/answer` }, options)
}
