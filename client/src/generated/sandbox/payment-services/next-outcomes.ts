// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { type List, list as listOf } from '../../../list.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

export { delete_ as delete }

/**
 * Create sandbox next outcome
 *
 * Decides what the simulated processor does with the next call of an operation: refuse it for a reason, lose its answer, or answer too late. Each outcome hits one call; several hit one call each, in their order. Services with the same `merchant_id` share them. The first outcome that a sandbox is told takes a second, so that all its processes know. Sandbox only.
 *
 * Requires the scope `sandbox.write`.
 */
export function create(
  connection: Connection,
  paymentServiceId: string,
  body: T.CreateSandboxNextOutcome,
  options?: Options,
): Promise<T.SandboxNextOutcome> {
  return send(connection, { method: 'POST', path: path`/sandbox/payment-services/${paymentServiceId}/next-outcomes`, body }, options)
}

/**
 * List sandbox next outcomes
 *
 * The outcomes that wait for a call. Those that have hit one are gone. Sandbox only.
 *
 * Requires the scope `sandbox.read`.
 */
export function list(
  connection: Connection,
  paymentServiceId: string,
  options?: Options,
): List<T.SandboxNextOutcomes> {
  return listOf(connection, path`/sandbox/payment-services/${paymentServiceId}/next-outcomes`, undefined, options)
}

/**
 * Delete sandbox next outcomes
 *
 * Disarms all outcomes that have not hit a call. Sandbox only.
 *
 * Requires the scope `sandbox.write`.
 */
function delete_(
  connection: Connection,
  paymentServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/sandbox/payment-services/${paymentServiceId}/next-outcomes` }, options)
}
