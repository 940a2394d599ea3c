// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Get retry policy
 *
 * Whether attempts that card schemes forbid are made, the limits that apply, and what schemes say about each code.
 *
 * Requires the scope `flows.read`.
 */
export function get(
  connection: Connection,
  options?: Options,
): Promise<T.RetryPolicy> {
  return send(connection, { method: 'GET', path: '/flows/retry-policy' }, options)
}

/**
 * Update retry policy
 *
 * What you leave out stays as it is. The change applies to the next attempt.
 *
 * Requires the scope `flows.write`.
 */
export function update(
  connection: Connection,
  body: T.RetryPolicyUpdate,
  options?: Options,
): Promise<T.RetryPolicy> {
  return send(connection, { method: 'PUT', path: '/flows/retry-policy', body }, options)
}
