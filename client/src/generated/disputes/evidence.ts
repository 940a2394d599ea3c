// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Submit dispute evidence
 *
 * Sends texts and files to the payment service, which passes them on to the buyer’s bank at once. Most services take evidence once at a stage. `GET /disputes/{dispute_id}/evidence-fields` says what it takes. We keep the evidence, sealed, only until the payment service has it. The body may have 8 MiB.
 *
 * Requires the scope `transactions.write`.
 */
export function submit(
  connection: Connection,
  disputeId: string,
  body: T.DisputeEvidence,
  options?: Options,
): Promise<T.Dispute> {
  return send(connection, { method: 'POST', path: path`/disputes/${disputeId}/evidence`, body }, options)
}
