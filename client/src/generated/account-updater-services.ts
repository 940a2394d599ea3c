// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List account updater services
 *
 * Account updater services, newest first. Deleted ones are not listed.
 *
 * Requires the scope `account-updater-services.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListAccountUpdaterServicesQuery,
  options?: Options,
): List<T.AccountUpdaterServices> {
  return listOf(connection, '/account-updater-services', query, options)
}

/**
 * Create account updater service
 *
 * Connects your own account at a provider that knows the new details of replaced cards. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.
 *
 * Requires the scope `account-updater-services.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateAccountUpdaterService,
  options?: Options,
): Promise<T.AccountUpdaterService> {
  return send(connection, { method: 'POST', path: '/account-updater-services', body }, options)
}

/**
 * Get account updater service
 *
 * Requires the scope `account-updater-services.read`.
 */
export function get(
  connection: Connection,
  accountUpdaterServiceId: string,
  options?: Options,
): Promise<T.AccountUpdaterService> {
  return send(connection, { method: 'GET', path: path`/account-updater-services/${accountUpdaterServiceId}` }, options)
}

/**
 * Update account updater service
 *
 * Fields that are left out stay as they are. An empty value clears an optional field. Questions that are open are asked with the new values.
 *
 * Requires the scope `account-updater-services.write`.
 */
export function update(
  connection: Connection,
  accountUpdaterServiceId: string,
  body: T.UpdateAccountUpdaterService,
  options?: Options,
): Promise<T.AccountUpdaterService> {
  return send(connection, { method: 'PUT', path: path`/account-updater-services/${accountUpdaterServiceId}`, body }, options)
}

/**
 * Delete account updater service
 *
 * No new question is asked there. Those that are open are still asked, for a day at most; then the secrets leave the vault.
 *
 * Requires the scope `account-updater-services.write`.
 */
function delete_(
  connection: Connection,
  accountUpdaterServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/account-updater-services/${accountUpdaterServiceId}` }, options)
}
