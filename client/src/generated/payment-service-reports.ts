// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as feeds from './payment-service-reports/feeds.ts'
export * as lines from './payment-service-reports/lines.ts'
export * as totals from './payment-service-reports/totals.ts'

/**
 * List payment service reports
 *
 * Newest first, each with its files, their sums, and how many lines no payment fits.
 *
 * Requires the scope `payment-service-reports.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListPaymentServiceReportsQuery,
  options?: Options,
): List<T.PaymentServiceReports> {
  return listOf(connection, '/payment-service-reports', query, options)
}

/**
 * Get payment service report
 *
 * Requires the scope `payment-service-reports.read`.
 */
export function get(
  connection: Connection,
  paymentServiceReportId: string,
  options?: Options,
): Promise<T.PaymentServiceReport> {
  return send(connection, { method: 'GET', path: path`/payment-service-reports/${paymentServiceReportId}` }, options)
}
