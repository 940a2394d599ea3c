// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List vault forward endpoints
 *
 * The hosts to which this account may forward card data in production, newest first.
 *
 * Requires the scope `vault-forward-configs.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListVaultForwardEndpointsQuery,
  options?: Options,
): List<T.VaultForwardEndpoints> {
  return listOf(connection, '/vault-forward/endpoints', query, options)
}

/**
 * Create vault forward endpoint
 *
 * Enables a host: from then on card numbers of this account may be sent there. Without `paths` and `methods`, all are enabled. A sandbox needs none.
 *
 * Requires the scope `vault-forward-configs.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateVaultForwardEndpoint,
  options?: Options,
): Promise<T.VaultForwardEndpoint> {
  return send(connection, { method: 'POST', path: '/vault-forward/endpoints', body }, options)
}

/**
 * Delete vault forward endpoint
 *
 * The host gets no card data any more, from the next request on.
 *
 * Requires the scope `vault-forward-configs.write`.
 */
function delete_(
  connection: Connection,
  vaultForwardEndpointId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/vault-forward/endpoints/${vaultForwardEndpointId}` }, options)
}
