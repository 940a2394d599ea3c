// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as erasure from './buyers/erasure.ts'
export * as giftCards from './buyers/gift-cards.ts'
export * as paymentMethods from './buyers/payment-methods.ts'
export * as shippingDetails from './buyers/shipping-details.ts'
export { delete_ as delete, export_ as export }

/**
 * List buyers
 *
 * The buyers of the selected merchant accounts, newest first.
 *
 * Requires the scope `buyers.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListBuyersQuery,
  options?: Options,
): List<T.Buyers> {
  return listOf(connection, '/buyers', query, options)
}

/**
 * Create buyer
 *
 * Requires the scope `buyers.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateBuyer,
  options?: Options,
): Promise<T.Buyer> {
  return send(connection, { method: 'POST', path: '/buyers', body }, options)
}

/**
 * Get buyer
 *
 * Requires the scope `buyers.read`.
 */
export function get(
  connection: Connection,
  buyerId: string,
  options?: Options,
): Promise<T.Buyer> {
  return send(connection, { method: 'GET', path: path`/buyers/${buyerId}` }, options)
}

/**
 * Update buyer
 *
 * Fields that are left out stay as they are; null clears a field. Billing details are replaced as a whole.
 *
 * Requires the scope `buyers.write`.
 */
export function update(
  connection: Connection,
  buyerId: string,
  body: T.UpdateBuyer,
  options?: Options,
): Promise<T.Buyer> {
  return send(connection, { method: 'PUT', path: path`/buyers/${buyerId}`, body }, options)
}

/**
 * Delete buyer
 *
 * Deletes the buyer and its shipping details. Payment methods and gift cards stay, without a buyer.
 *
 * Requires the scope `buyers.write`.
 */
function delete_(
  connection: Connection,
  buyerId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/buyers/${buyerId}` }, options)
}

/**
 * Export buyer
 *
 * Everything that is known of a buyer, as one document to hand over: the buyer, shipping details, stored payment methods and gift cards, payouts, payment links, and up to 200 payments. A signed-in user must have proved within the last ten minutes who they are.
 *
 * Requires the scope `personal-data.read`.
 */
function export_(
  connection: Connection,
  buyerId: string,
  options?: Options,
): Promise<T.BuyerExport> {
  return send(connection, { method: 'GET', path: path`/buyers/${buyerId}/export` }, options)
}
