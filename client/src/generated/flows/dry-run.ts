// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Create flow dry run
 *
 * Says what the rules would decide about a request or about a payment that was made: against the newest rules, an earlier version, or rules that are not stored yet. Nothing is stored, and no provider is asked.
 *
 * Requires the scope `flows.read` and `transactions.read`.
 */
export function create(
  connection: Connection,
  body: T.FlowDryRunCreate,
  options?: Options,
): Promise<T.FlowDryRun> {
  return send(connection, { method: 'POST', path: '/flows/dry-run', body }, options)
}
