// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { type List, list as listOf } from '../../../list.ts'
import { path } from '../../../path.ts'
import type * as T from '../../types.ts'

/**
 * List flow outcomes
 *
 * What a rule of this action can decide: payment services, payment methods, or fixed results.
 *
 * Requires the scope `flows.read`.
 */
export function list(
  connection: Connection,
  flow: string,
  action: string,
  query?: T.ListFlowOutcomesQuery,
  options?: Options,
): List<T.FlowOutcomeOptions> {
  return listOf(connection, path`/flows/${flow}/actions/${action}/outcomes`, query, options)
}
