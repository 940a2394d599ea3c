// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import type * as T from '../types.ts'

/**
 * List payment service report feeds
 *
 * One item for each payment service whose reports are read: when it was last asked, why it could not be, and which files it offers that are not read yet.
 *
 * Requires the scope `payment-service-reports.read`.
 */
export function list(
  connection: Connection,
  options?: Options,
): List<T.PaymentServiceReportFeeds> {
  return listOf(connection, '/payment-service-reports/feeds', undefined, options)
}
