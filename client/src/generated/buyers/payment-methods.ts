// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import type * as T from '../types.ts'

/**
 * List buyer payment methods
 *
 * All usable payment methods. A browser token sees only those of its own buyer.
 *
 * Requires the scope `payment-methods.read`, or a browser token with `embed`.
 */
export function list(
  connection: Connection,
  query?: T.ListBuyerPaymentMethodsQuery,
  options?: Options,
): List<T.PaymentMethodSummaries> {
  return listOf(connection, '/buyers/payment-methods', query, options)
}
