// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as networkTokens from './payment-methods/network-tokens.ts'
export * as paymentServiceTokens from './payment-methods/payment-service-tokens.ts'
export { delete_ as delete }

/**
 * List payment methods
 *
 * Stored payment methods, newest first. Deleted ones are not listed.
 *
 * Requires the scope `payment-methods.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListPaymentMethodsQuery,
  options?: Options,
): List<T.PaymentMethods> {
  return listOf(connection, '/payment-methods', query, options)
}

/**
 * Create payment method
 *
 * The number of a card is sealed in the vault; the security code is not stored. The same card may be stored twice. A bank account and a token of Plaid are sealed as a card is. A method that the buyer has to approve is stored by a payment service; send the buyer to `approval_url`.
 *
 * Requires the scope `payment-methods.write`.
 */
export function create(
  connection: Connection,
  body: T.CreatePaymentMethod,
  options?: Options,
): Promise<T.PaymentMethod> {
  return send(connection, { method: 'POST', path: '/payment-methods', body }, options)
}

/**
 * Get payment method
 *
 * Requires the scope `payment-methods.read`.
 */
export function get(
  connection: Connection,
  paymentMethodId: string,
  options?: Options,
): Promise<T.PaymentMethod> {
  return send(connection, { method: 'GET', path: path`/payment-methods/${paymentMethodId}` }, options)
}

/**
 * Update payment method
 *
 * Fields that are left out stay as they are. Clearing `scheme_transaction_id` clears its scheme too.
 *
 * Requires the scope `payment-methods.write`.
 */
export function update(
  connection: Connection,
  paymentMethodId: string,
  body: T.UpdatePaymentMethod,
  options?: Options,
): Promise<T.PaymentMethod> {
  return send(connection, { method: 'PUT', path: path`/payment-methods/${paymentMethodId}`, body }, options)
}

/**
 * Delete payment method
 *
 * The number leaves the vault at once. A browser token can delete its own buyer’s methods.
 *
 * Requires the scope `payment-methods.write`, or a browser token with `embed`.
 */
function delete_(
  connection: Connection,
  paymentMethodId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/payment-methods/${paymentMethodId}` }, options)
}
