// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List vault forward authentications
 *
 * Newest first. Secrets are not shown.
 *
 * Requires the scope `vault-forward-authentications.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListVaultForwardAuthenticationsQuery,
  options?: Options,
): List<T.VaultForwardAuthentications> {
  return listOf(connection, '/vault-forward/authentications', query, options)
}

/**
 * Create vault forward authentication
 *
 * Keeps a certificate with its key, or a key for signatures. A forwarded request that names it proves by it who sends it.
 *
 * Requires the scope `vault-forward-authentications.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateVaultForwardAuthentication,
  options?: Options,
): Promise<T.VaultForwardAuthentication> {
  return send(connection, { method: 'POST', path: '/vault-forward/authentications', body }, options)
}

/**
 * Delete vault forward authentication
 *
 * Its secret leaves the vault.
 *
 * Requires the scope `vault-forward-authentications.write`.
 */
function delete_(
  connection: Connection,
  vaultForwardAuthenticationId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/vault-forward/authentications/${vaultForwardAuthenticationId}` }, options)
}
