// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export { delete_ as delete }

/**
 * List payment service tokens
 *
 * The tokens that payment services have for a payment method, newest first.
 *
 * Requires the scope `payment-methods.read`.
 */
export function list(
  connection: Connection,
  paymentMethodId: string,
  query?: T.ListPaymentMethodPaymentServiceTokensQuery,
  options?: Options,
): List<T.PaymentServiceTokens> {
  return listOf(connection, path`/payment-methods/${paymentMethodId}/payment-service-tokens`, query, options)
}

/**
 * Create payment service token
 *
 * Asks a payment service to store the payment method. Later payments at this service use its token. The buyer may have to approve first. A method has one token at each service.
 *
 * Requires the scope `payment-methods.write`.
 */
export function create(
  connection: Connection,
  paymentMethodId: string,
  body: T.CreatePaymentServiceToken,
  options?: Options,
): Promise<T.PaymentServiceToken> {
  return send(connection, { method: 'POST', path: path`/payment-methods/${paymentMethodId}/payment-service-tokens`, body }, options)
}

/**
 * Delete payment service token
 *
 * Payments no longer use it. The provider is asked to delete it, too, after the answer.
 *
 * Requires the scope `payment-methods.write`.
 */
function delete_(
  connection: Connection,
  paymentMethodId: string,
  paymentServiceTokenId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/payment-methods/${paymentMethodId}/payment-service-tokens/${paymentServiceTokenId}` }, options)
}
