// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List presets
 *
 * All presets of the source, newest first.
 *
 * Requires the scope `metrics-explorer.read`.
 */
export function list(
  connection: Connection,
  source: string,
  options?: Options,
): Promise<T.MetricsExplorerPreset[]> {
  return send(connection, { method: 'GET', path: path`/metrics-explorer/${source}/presets` }, options)
}

/**
 * Create preset
 *
 * Keeps a metric and filters under a name, for dashboards to ask with. At most 100 for each account.
 *
 * Requires the scope `metrics-explorer.write`.
 */
export function create(
  connection: Connection,
  source: string,
  body: T.MetricsExplorerPresetCreate,
  options?: Options,
): Promise<T.MetricsExplorerPreset> {
  return send(connection, { method: 'POST', path: path`/metrics-explorer/${source}/presets`, body }, options)
}

/**
 * Rename preset
 *
 * Only the name can be changed.
 *
 * Requires the scope `metrics-explorer.write`.
 */
export function update(
  connection: Connection,
  source: string,
  presetId: string,
  body: T.MetricsExplorerPresetUpdate,
  options?: Options,
): Promise<T.MetricsExplorerPreset> {
  return send(connection, { method: 'PUT', path: path`/metrics-explorer/${source}/presets/${presetId}`, body }, options)
}

/**
 * Delete preset
 *
 * Requires the scope `metrics-explorer.write`.
 */
function delete_(
  connection: Connection,
  source: string,
  presetId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/metrics-explorer/${source}/presets/${presetId}` }, options)
}
