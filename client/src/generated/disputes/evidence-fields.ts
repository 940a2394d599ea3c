// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Get dispute evidence fields
 *
 * What the payment service takes as evidence, and whether the dispute can be answered now.
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  disputeId: string,
  options?: Options,
): Promise<T.DisputeEvidenceFields> {
  return send(connection, { method: 'GET', path: path`/disputes/${disputeId}/evidence-fields` }, options)
}
