// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Get sandbox clock
 *
 * What time it is in this sandbox, and whether the clock is being moved. Sandbox only.
 *
 * Requires the scope `sandbox.read`.
 */
export function get(
  connection: Connection,
  options?: Options,
): Promise<T.SandboxClock> {
  return send(connection, { method: 'GET', path: '/sandbox/clock' }, options)
}

/**
 * Advance sandbox clock
 *
 * Moves the clock of the whole sandbox, for all merchant accounts. On the way, a worker does what falls due, in order of time: authorizations and links expire, unknown outcomes are asked for, webhooks are sent again. Afterwards the status is `ready`. The clock cannot go back. Tokens, rate limits and timeouts stay on real time. Sandbox only.
 *
 * Requires the scope `sandbox.write`.
 */
export function advance(
  connection: Connection,
  body: T.AdvanceSandboxClock,
  options?: Options,
): Promise<T.SandboxClock> {
  return send(connection, { method: 'POST', path: '/sandbox/clock/advance', body }, options)
}
