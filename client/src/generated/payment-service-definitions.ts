// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as sessions from './payment-service-definitions/sessions.ts'

/**
 * List payment service definitions
 *
 * The providers for which a payment service can be created, and what each supports.
 *
 * Requires the scope `payment-service-definitions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListPaymentServiceDefinitionsQuery,
  options?: Options,
): List<T.PaymentServiceDefinitions> {
  return listOf(connection, '/payment-service-definitions', query, options)
}

/**
 * Get payment service definition
 *
 * Requires the scope `payment-service-definitions.read`.
 */
export function get(
  connection: Connection,
  paymentServiceDefinitionId: string,
  options?: Options,
): Promise<T.PaymentServiceDefinition> {
  return send(connection, { method: 'GET', path: path`/payment-service-definitions/${paymentServiceDefinitionId}` }, options)
}
