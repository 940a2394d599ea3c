// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Register digital wallet domain
 *
 * The host of a page that shows the button of Apple Pay. Sessions are opened for registered domains only. Registering a domain again changes nothing. If the wallet has Apple’s file for the domain, and another wallet answers for it, the answer is 409.
 *
 * Requires the scope `digital-wallets.write`.
 */
export function register(
  connection: Connection,
  digitalWalletId: string,
  body: T.RegisterDigitalWalletDomain,
  options?: Options,
): Promise<T.RegisteredDigitalWalletDomain> {
  return send(connection, { method: 'POST', path: path`/digital-wallets/${digitalWalletId}/domains`, body }, options)
}

/**
 * Remove digital wallet domain
 *
 * A domain that is not registered is no error.
 *
 * Requires the scope `digital-wallets.write`.
 */
export function unregister(
  connection: Connection,
  digitalWalletId: string,
  body: T.UnregisterDigitalWalletDomain,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/digital-wallets/${digitalWalletId}/domains`, body }, options)
}
