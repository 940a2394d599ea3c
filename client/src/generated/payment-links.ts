// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List payment links
 *
 * Newest first. Lists the links that match all filters.
 *
 * Requires the scope `payment-links.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListPaymentLinksQuery,
  options?: Options,
): List<T.PaymentLinks> {
  return listOf(connection, '/payment-links', query, options)
}

/**
 * Create payment link
 *
 * Send the buyer to `url`, a page of this service where the amount can be paid once. The payment is a transaction with the link’s order.
 *
 * Requires the scope `payment-links.write`.
 */
export function create(
  connection: Connection,
  body: T.PaymentLinkCreate,
  options?: Options,
): Promise<T.PaymentLink> {
  return send(connection, { method: 'POST', path: '/payment-links', body }, options)
}

/**
 * Get payment link
 *
 * List the payments that were tried with `GET /transactions?payment_link_id=…`.
 *
 * Requires the scope `payment-links.read`.
 */
export function get(
  connection: Connection,
  paymentLinkId: string,
  options?: Options,
): Promise<T.PaymentLink> {
  return send(connection, { method: 'GET', path: path`/payment-links/${paymentLinkId}` }, options)
}

/**
 * Expire payment link
 *
 * From now on the link cannot be paid. A link that has expired stays so, and answers 204 again. One that is paid or being paid cannot be expired.
 *
 * Requires the scope `payment-links.write`.
 */
export function expire(
  connection: Connection,
  paymentLinkId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'POST', path: path`/payment-links/${paymentLinkId}/expire` }, options)
}
