// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Get sandbox history
 *
 * The history that the sandbox is being filled with, or was filled with last. Sandbox only.
 *
 * Requires the scope `sandbox.read`.
 */
export function get(
  connection: Connection,
  options?: Options,
): Promise<T.SandboxFill> {
  return send(connection, { method: 'GET', path: '/sandbox/fill' }, options)
}

/**
 * Create sandbox history
 *
 * Makes a plausible history of payments for a merchant account: several currencies, declines, captures, refunds, 3-D Secure, subscriptions, chargebacks and buyers who come back. A made-up shop calls this API with a key of its own, which is deleted at the end. The clock only goes forward, so the history begins at the next midnight (UTC), and afterwards the clock of the whole sandbox is that many days ahead. Sandbox only.
 *
 * Requires the scope `sandbox.write`.
 */
export function create(
  connection: Connection,
  body?: T.FillSandbox,
  options?: Options,
): Promise<T.SandboxFill> {
  return send(connection, { method: 'POST', path: '/sandbox/fill', body }, options)
}
