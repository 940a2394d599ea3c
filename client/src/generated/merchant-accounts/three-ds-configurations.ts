// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List 3DS configurations
 *
 * Requires the scope `merchant-accounts.read`.
 */
export function list(
  connection: Connection,
  merchantAccountId: string,
  query?: T.ListThreeDsConfigurationsQuery,
  options?: Options,
): List<T.ThreeDSConfigurations> {
  return listOf(connection, path`/merchant-accounts/${merchantAccountId}/three-ds-configurations`, query, options)
}

/**
 * Create 3DS configuration
 *
 * One for each scheme and currency. Without a currency it applies to all currencies that have none of their own.
 *
 * Requires the scope `merchant-accounts.write`.
 */
export function create(
  connection: Connection,
  merchantAccountId: string,
  body: T.CreateThreeDSConfiguration,
  options?: Options,
): Promise<T.ThreeDSConfiguration> {
  return send(connection, { method: 'POST', path: path`/merchant-accounts/${merchantAccountId}/three-ds-configurations`, body }, options)
}

/**
 * Update 3DS configuration
 *
 * Fields that are left out stay as they are; a null currency means every currency.
 *
 * Requires the scope `merchant-accounts.write`.
 */
export function update(
  connection: Connection,
  merchantAccountId: string,
  threeDsConfigurationId: string,
  body: T.UpdateThreeDSConfiguration,
  options?: Options,
): Promise<T.ThreeDSConfiguration> {
  return send(connection, { method: 'PUT', path: path`/merchant-accounts/${merchantAccountId}/three-ds-configurations/${threeDsConfigurationId}`, body }, options)
}

/**
 * Delete 3DS configuration
 *
 * Requires the scope `merchant-accounts.write`.
 */
function delete_(
  connection: Connection,
  merchantAccountId: string,
  threeDsConfigurationId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/merchant-accounts/${merchantAccountId}/three-ds-configurations/${threeDsConfigurationId}` }, options)
}
