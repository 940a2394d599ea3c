// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List digital wallet keys
 *
 * Certificates and public keys, newest first. Private keys are never shown.
 *
 * Requires the scope `apple-pay-certificates.read`.
 */
export function list(
  connection: Connection,
  digitalWalletId: string,
  options?: Options,
): List<T.DigitalWalletKeys> {
  return listOf(connection, path`/digital-wallets/${digitalWalletId}/keys`, undefined, options)
}

/**
 * Create digital wallet key
 *
 * Keeps your own key, or makes one if you send none. For Apple Pay, a key that we make comes with a certificate signing request: hand it to Apple and PUT the certificate. A wallet can have several keys of one purpose, so that a new one can be used before the old one expires.
 *
 * Requires the scope `apple-pay-certificates.write`.
 */
export function create(
  connection: Connection,
  digitalWalletId: string,
  body: T.CreateDigitalWalletKey,
  options?: Options,
): Promise<T.DigitalWalletKey> {
  return send(connection, { method: 'POST', path: path`/digital-wallets/${digitalWalletId}/keys`, body }, options)
}

/**
 * Set digital wallet key certificate
 *
 * The certificate that Apple issued for the key: the first one, or a renewed one.
 *
 * Requires the scope `apple-pay-certificates.write`.
 */
export function update(
  connection: Connection,
  digitalWalletId: string,
  digitalWalletKeyId: string,
  body: T.CertifyDigitalWalletKey,
  options?: Options,
): Promise<T.DigitalWalletKey> {
  return send(connection, { method: 'PUT', path: path`/digital-wallets/${digitalWalletId}/keys/${digitalWalletKeyId}`, body }, options)
}

/**
 * Delete digital wallet key
 *
 * Removes the private key from the vault. Tokens that are sealed for it can no longer be opened.
 *
 * Requires the scope `apple-pay-certificates.write`.
 */
function delete_(
  connection: Connection,
  digitalWalletId: string,
  digitalWalletKeyId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/digital-wallets/${digitalWalletId}/keys/${digitalWalletKeyId}` }, options)
}
