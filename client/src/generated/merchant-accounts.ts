// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as theme from './merchant-accounts/theme.ts'
export * as threeDsConfigurations from './merchant-accounts/three-ds-configurations.ts'

/**
 * List merchant accounts
 *
 * The merchant accounts that this key can reach, newest first.
 *
 * Requires the scope `merchant-accounts.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListMerchantAccountsQuery,
  options?: Options,
): List<T.MerchantAccounts> {
  return listOf(connection, '/merchant-accounts', query, options)
}

/**
 * Create merchant account
 *
 * The id cannot be changed later. The key must reach all merchant accounts.
 *
 * Requires the scope `merchant-accounts.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateMerchantAccount,
  options?: Options,
): Promise<T.MerchantAccount> {
  return send(connection, { method: 'POST', path: '/merchant-accounts', body }, options)
}

/**
 * Get merchant account
 *
 * Requires the scope `merchant-accounts.read`.
 */
export function get(
  connection: Connection,
  merchantAccountId: string,
  options?: Options,
): Promise<T.MerchantAccount> {
  return send(connection, { method: 'GET', path: path`/merchant-accounts/${merchantAccountId}` }, options)
}

/**
 * Update merchant account
 *
 * Fields that are left out stay as they are; null clears a field.
 *
 * Requires the scope `merchant-accounts.write`.
 */
export function update(
  connection: Connection,
  merchantAccountId: string,
  body: T.UpdateMerchantAccount,
  options?: Options,
): Promise<T.MerchantAccount> {
  return send(connection, { method: 'PUT', path: path`/merchant-accounts/${merchantAccountId}`, body }, options)
}
