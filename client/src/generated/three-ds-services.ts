// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List 3-D Secure services
 *
 * 3-D Secure services, newest first. Deleted ones are not listed.
 *
 * Requires the scope `three-ds-services.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListThreeDsServicesQuery,
  options?: Options,
): List<T.ThreeDSServices> {
  return listOf(connection, '/three-ds-services', query, options)
}

/**
 * Create 3-D Secure service
 *
 * Connects your own account at a provider of a 3-D Secure server, which asks issuers whether the buyer is the holder of the card. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409. Some providers are asked whether they accept the credentials: those that they reject are answered with 400.
 *
 * Requires the scope `three-ds-services.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateThreeDSService,
  options?: Options,
): Promise<T.ThreeDSService> {
  return send(connection, { method: 'POST', path: '/three-ds-services', body }, options)
}

/**
 * Get 3-D Secure service
 *
 * Requires the scope `three-ds-services.read`.
 */
export function get(
  connection: Connection,
  threeDsServiceId: string,
  options?: Options,
): Promise<T.ThreeDSService> {
  return send(connection, { method: 'GET', path: path`/three-ds-services/${threeDsServiceId}` }, options)
}

/**
 * Update 3-D Secure service
 *
 * Fields that are left out stay as they are. An empty value clears an optional field.
 *
 * Requires the scope `three-ds-services.write`.
 */
export function update(
  connection: Connection,
  threeDsServiceId: string,
  body: T.UpdateThreeDSService,
  options?: Options,
): Promise<T.ThreeDSService> {
  return send(connection, { method: 'PUT', path: path`/three-ds-services/${threeDsServiceId}`, body }, options)
}

/**
 * Delete 3-D Secure service
 *
 * Later payments are made without it, and its secrets leave the vault once no buyer can be approving a payment that it has begun to authenticate.
 *
 * Requires the scope `three-ds-services.write`.
 */
function delete_(
  connection: Connection,
  threeDsServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/three-ds-services/${threeDsServiceId}` }, options)
}
