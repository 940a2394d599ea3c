// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Get metric totals
 *
 * The metric over time and in sum, and the same for the period of the same length before. An answer may be up to a minute old.
 *
 * Requires the scope `metrics-explorer.read`.
 */
export function get(
  connection: Connection,
  source: string,
  metric: string,
  query: T.GetMetricsExplorerTotalsQuery,
  options?: Options,
): Promise<T.MetricsExplorerTotalResponse> {
  return send(connection, { method: 'GET', path: path`/metrics-explorer/${source}/metrics/${metric}/totals`, query }, options)
}
