// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create report execution URL
 *
 * The file can be downloaded there without a token, for the given minutes. A file with names and addresses of buyers also takes the scope `buyers.billing-details.read`.
 *
 * Requires the scope `reports.read`.
 */
export function create(
  connection: Connection,
  reportId: string,
  reportExecutionId: string,
  body?: T.ReportExecutionUrlGenerate,
  options?: Options,
): Promise<T.ReportExecutionUrl> {
  return send(connection, { method: 'POST', path: path`/reports/${reportId}/executions/${reportExecutionId}/url`, body }, options)
}
