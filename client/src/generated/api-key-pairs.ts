// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List API key pairs
 *
 * The API key pairs that this key can see, newest first.
 *
 * Requires the scope `api-key-pairs.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListApiKeyPairsQuery,
  options?: Options,
): List<T.APIKeyPairs> {
  return listOf(connection, '/api-key-pairs', query, options)
}

/**
 * Create API key pair
 *
 * Generates a pair and returns its private key once, or registers a public key of yours. A retry with the same idempotency key returns the private key for ten minutes, and null after that.
 *
 * Requires the scope `api-key-pairs.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateAPIKeyPair,
  options?: Options,
): Promise<T.APIKeyPair> {
  return send(connection, { method: 'POST', path: '/api-key-pairs', body }, options)
}

/**
 * Get API key pair
 *
 * Requires the scope `api-key-pairs.read`.
 */
export function get(
  connection: Connection,
  apiKeyPairId: string,
  options?: Options,
): Promise<T.APIKeyPair> {
  return send(connection, { method: 'GET', path: path`/api-key-pairs/${apiKeyPairId}` }, options)
}

/**
 * Update API key pair
 *
 * Fields that are left out or null stay as they are. A key that is made inactive stops working at once.
 *
 * Requires the scope `api-key-pairs.write`.
 */
export function update(
  connection: Connection,
  apiKeyPairId: string,
  body: T.UpdateAPIKeyPair,
  options?: Options,
): Promise<T.APIKeyPair> {
  return send(connection, { method: 'PUT', path: path`/api-key-pairs/${apiKeyPairId}`, body }, options)
}

/**
 * Delete API key pair
 *
 * Deletes the pair for good. Tokens signed with it stop working at once.
 *
 * Requires the scope `api-key-pairs.write`.
 */
function delete_(
  connection: Connection,
  apiKeyPairId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/api-key-pairs/${apiKeyPairId}` }, options)
}
