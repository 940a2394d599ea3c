// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List network token services
 *
 * Network token services, newest first. Deleted ones are not listed.
 *
 * Requires the scope `network-token-services.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListNetworkTokenServicesQuery,
  options?: Options,
): List<T.NetworkTokenServices> {
  return listOf(connection, '/network-token-services', query, options)
}

/**
 * Create network token service
 *
 * Connects your own account at a provider that gives cards network tokens. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.
 *
 * Requires the scope `network-token-services.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateNetworkTokenService,
  options?: Options,
): Promise<T.NetworkTokenService> {
  return send(connection, { method: 'POST', path: '/network-token-services', body }, options)
}

/**
 * Get network token service
 *
 * Requires the scope `network-token-services.read`.
 */
export function get(
  connection: Connection,
  networkTokenServiceId: string,
  options?: Options,
): Promise<T.NetworkTokenService> {
  return send(connection, { method: 'GET', path: path`/network-token-services/${networkTokenServiceId}` }, options)
}

/**
 * Update network token service
 *
 * Fields that are left out stay as they are. An empty value clears an optional field. Tokens that it has made are asked for with the new values.
 *
 * Requires the scope `network-token-services.write`.
 */
export function update(
  connection: Connection,
  networkTokenServiceId: string,
  body: T.UpdateNetworkTokenService,
  options?: Options,
): Promise<T.NetworkTokenService> {
  return send(connection, { method: 'PUT', path: path`/network-token-services/${networkTokenServiceId}`, body }, options)
}

/**
 * Delete network token service
 *
 * It makes no new tokens. Those that it has made are used until they are deleted; then its secrets leave the vault.
 *
 * Requires the scope `network-token-services.write`.
 */
function delete_(
  connection: Connection,
  networkTokenServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/network-token-services/${networkTokenServiceId}` }, options)
}
