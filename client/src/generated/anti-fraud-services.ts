// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List anti-fraud services
 *
 * Anti-fraud services, newest first. Deleted ones are not listed.
 *
 * Requires the scope `anti-fraud-services.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListAntiFraudServicesQuery,
  options?: Options,
): List<T.AntiFraudServices> {
  return listOf(connection, '/anti-fraud-services', query, options)
}

/**
 * Create anti-fraud service
 *
 * Connects your own account at a provider that tells fraud from honest payments. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false or `silent` is true. Only one can be active: a second one is answered with 409.
 *
 * Requires the scope `anti-fraud-services.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateAntiFraudService,
  options?: Options,
): Promise<T.AntiFraudService> {
  return send(connection, { method: 'POST', path: '/anti-fraud-services', body }, options)
}

/**
 * Get anti-fraud service
 *
 * Requires the scope `anti-fraud-services.read`.
 */
export function get(
  connection: Connection,
  antiFraudServiceId: string,
  options?: Options,
): Promise<T.AntiFraudService> {
  return send(connection, { method: 'GET', path: path`/anti-fraud-services/${antiFraudServiceId}` }, options)
}

/**
 * Update anti-fraud service
 *
 * Fields that are left out stay as they are. An empty value clears an optional field.
 *
 * Requires the scope `anti-fraud-services.write`.
 */
export function update(
  connection: Connection,
  antiFraudServiceId: string,
  body: T.UpdateAntiFraudService,
  options?: Options,
): Promise<T.AntiFraudService> {
  return send(connection, { method: 'PUT', path: path`/anti-fraud-services/${antiFraudServiceId}`, body }, options)
}

/**
 * Delete anti-fraud service
 *
 * Later payments are made without it, and its secrets leave the vault. Results of reviews can no longer be sent to its `webhook_url`. To stop only new payments, set `active` to false.
 *
 * Requires the scope `anti-fraud-services.write`.
 */
function delete_(
  connection: Connection,
  antiFraudServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/anti-fraud-services/${antiFraudServiceId}` }, options)
}
