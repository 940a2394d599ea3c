// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import type * as T from './types.ts'

export * as actions from './flows/actions.ts'
export * as backTests from './flows/back-tests.ts'
export * as dryRun from './flows/dry-run.ts'
export * as health from './flows/health.ts'
export * as retryPolicy from './flows/retry-policy.ts'
export * as versions from './flows/versions.ts'

/**
 * List flow rules
 *
 * The rules of a flow: of each action in the order in which they are tried.
 *
 * Requires the scope `flows.read`.
 */
export function list(
  connection: Connection,
  flow: string,
  options?: Options,
): List<T.FlowRules> {
  return listOf(connection, path`/flows/${flow}`, undefined, options)
}
