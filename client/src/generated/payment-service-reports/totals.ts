// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import type * as T from '../types.ts'

/**
 * List settlement totals
 *
 * What payment services have settled, taken and charged, by period, service and currency, the latest period first. A line counts in the period in which the payment service posted it, whether a payment fits it or not; lines that only repeat another one do not count.
 *
 * Requires the scope `payment-service-reports.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListSettlementTotalsQuery,
  options?: Options,
): List<T.SettlementTotals> {
  return listOf(connection, '/payment-service-reports/totals', query, options)
}
