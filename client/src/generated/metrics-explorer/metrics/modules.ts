// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Get metric by field
 *
 * At most 1,000 values: for `volume` those with the largest, else those with the most payments, in this order. An answer may be up to a minute old.
 *
 * Requires the scope `metrics-explorer.read`.
 */
export function get(
  connection: Connection,
  source: string,
  metric: string,
  module: string,
  query: T.GetMetricsExplorerModuleQuery,
  options?: Options,
): Promise<T.MetricsExplorerModule[]> {
  return send(connection, { method: 'GET', path: path`/metrics-explorer/${source}/metrics/${metric}/modules/${module}`, query }, options)
}
