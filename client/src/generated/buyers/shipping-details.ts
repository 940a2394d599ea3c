// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List shipping details
 *
 * All shipping details of a buyer, newest first.
 *
 * Requires the scope `buyers.read`.
 */
export function list(
  connection: Connection,
  buyerId: string,
  options?: Options,
): List<T.ShippingDetailsList> {
  return listOf(connection, path`/buyers/${buyerId}/shipping-details`, undefined, options)
}

/**
 * Create shipping details
 *
 * Requires the scope `buyers.write`.
 */
export function create(
  connection: Connection,
  buyerId: string,
  body: T.CreateShippingDetails,
  options?: Options,
): Promise<T.ShippingDetails> {
  return send(connection, { method: 'POST', path: path`/buyers/${buyerId}/shipping-details`, body }, options)
}

/**
 * Get shipping details
 *
 * Requires the scope `buyers.read`.
 */
export function get(
  connection: Connection,
  buyerId: string,
  shippingDetailsId: string,
  options?: Options,
): Promise<T.ShippingDetails> {
  return send(connection, { method: 'GET', path: path`/buyers/${buyerId}/shipping-details/${shippingDetailsId}` }, options)
}

/**
 * Update shipping details
 *
 * Fields that are left out stay as they are; null clears a field. The address is replaced as a whole.
 *
 * Requires the scope `buyers.write`.
 */
export function update(
  connection: Connection,
  buyerId: string,
  shippingDetailsId: string,
  body: T.UpdateShippingDetails,
  options?: Options,
): Promise<T.ShippingDetails> {
  return send(connection, { method: 'PUT', path: path`/buyers/${buyerId}/shipping-details/${shippingDetailsId}`, body }, options)
}

/**
 * Delete shipping details
 *
 * Requires the scope `buyers.write`.
 */
function delete_(
  connection: Connection,
  buyerId: string,
  shippingDetailsId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/buyers/${buyerId}/shipping-details/${shippingDetailsId}` }, options)
}
