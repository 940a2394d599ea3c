// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List gift card services
 *
 * Gift card services, newest first. Deleted ones are not listed.
 *
 * Requires the scope `gift-card-services.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListGiftCardServicesQuery,
  options?: Options,
): List<T.GiftCardServices> {
  return listOf(connection, '/gift-card-services', query, options)
}

/**
 * Create gift card service
 *
 * Connects your own account at a provider of gift cards. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.
 *
 * Requires the scope `gift-card-services.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateGiftCardService,
  options?: Options,
): Promise<T.GiftCardService> {
  return send(connection, { method: 'POST', path: '/gift-card-services', body }, options)
}

/**
 * Get gift card service
 *
 * Requires the scope `gift-card-services.read`.
 */
export function get(
  connection: Connection,
  giftCardServiceId: string,
  options?: Options,
): Promise<T.GiftCardService> {
  return send(connection, { method: 'GET', path: path`/gift-card-services/${giftCardServiceId}` }, options)
}

/**
 * Update gift card service
 *
 * Fields that are left out stay as they are. An empty value clears an optional field. They cannot be changed while an operation is open at the service, because its outcome has to be found there.
 *
 * Requires the scope `gift-card-services.write`.
 */
export function update(
  connection: Connection,
  giftCardServiceId: string,
  body: T.UpdateGiftCardService,
  options?: Options,
): Promise<T.GiftCardService> {
  return send(connection, { method: 'PUT', path: path`/gift-card-services/${giftCardServiceId}`, body }, options)
}

/**
 * Delete gift card service
 *
 * Payments with its gift cards can no longer be refunded to them. We keep asking for the outcome of open operations; then the secrets leave the vault. To stop only new payments, set `active` to false.
 *
 * Requires the scope `gift-card-services.write`.
 */
function delete_(
  connection: Connection,
  giftCardServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/gift-card-services/${giftCardServiceId}` }, options)
}
