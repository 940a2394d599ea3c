// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import type * as T from '../types.ts'

/**
 * List payment service report lines
 *
 * The last line first. `matched=false` lists the lines that no payment fits, and why.
 *
 * Requires the scope `payment-service-reports.read`.
 */
export function list(
  connection: Connection,
  paymentServiceReportId: string,
  query?: T.ListPaymentServiceReportLinesQuery,
  options?: Options,
): List<T.PaymentServiceReportLines> {
  return listOf(connection, path`/payment-service-reports/${paymentServiceReportId}/lines`, query, options)
}
