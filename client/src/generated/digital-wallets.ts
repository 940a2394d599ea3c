// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as apple from './digital-wallets/apple.ts'
export * as clickToPay from './digital-wallets/click-to-pay.ts'
export * as domains from './digital-wallets/domains.ts'
export * as google from './digital-wallets/google.ts'
export * as keys from './digital-wallets/keys.ts'
export * as paze from './digital-wallets/paze.ts'
export { delete_ as delete }

/**
 * List digital wallets
 *
 * All digital wallets, newest first.
 *
 * Requires the scope `digital-wallets.read`.
 */
export function list(
  connection: Connection,
  options?: Options,
): List<T.DigitalWallets> {
  return listOf(connection, '/digital-wallets', undefined, options)
}

/**
 * Register digital wallet
 *
 * Apple Pay, Google Pay, Click to Pay or Paze for this merchant account. An account has one wallet of each: a second one is answered with 409.
 *
 * Requires the scope `digital-wallets.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateDigitalWallet,
  options?: Options,
): Promise<T.DigitalWallet> {
  return send(connection, { method: 'POST', path: '/digital-wallets', body }, options)
}

/**
 * Get digital wallet
 *
 * Requires the scope `digital-wallets.read`.
 */
export function get(
  connection: Connection,
  digitalWalletId: string,
  options?: Options,
): Promise<T.DigitalWallet> {
  return send(connection, { method: 'GET', path: path`/digital-wallets/${digitalWalletId}` }, options)
}

/**
 * Update digital wallet
 *
 * Fields that are left out stay as they are; null clears a field. The name and the domains cannot be null: they stay. The domains, the address and the extra configuration are replaced as a whole.
 *
 * Requires the scope `digital-wallets.write`.
 */
export function update(
  connection: Connection,
  digitalWalletId: string,
  body: T.UpdateDigitalWallet,
  options?: Options,
): Promise<T.DigitalWallet> {
  return send(connection, { method: 'PUT', path: path`/digital-wallets/${digitalWalletId}`, body }, options)
}

/**
 * Delete digital wallet
 *
 * A wallet with active certificates cannot be deleted: delete its keys first. Other keys are deleted with it.
 *
 * Requires the scope `digital-wallets.write`.
 */
function delete_(
  connection: Connection,
  digitalWalletId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/digital-wallets/${digitalWalletId}` }, options)
}
