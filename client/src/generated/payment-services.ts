// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as notifications from './payment-services/notifications.ts'
export * as sessions from './payment-services/sessions.ts'
export { delete_ as delete }

/**
 * List payment services
 *
 * Payment services, newest first. Payments try them by `position`.
 *
 * Requires the scope `payment-services.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListPaymentServicesQuery,
  options?: Options,
): List<T.PaymentServices> {
  return listOf(connection, '/payment-services', query, options)
}

/**
 * Create payment service
 *
 * Connects your own account at a provider. Secret fields are sealed in the vault and never shown again.
 *
 * Requires the scope `payment-services.write`.
 */
export function create(
  connection: Connection,
  body: T.CreatePaymentService,
  options?: Options,
): Promise<T.PaymentService> {
  return send(connection, { method: 'POST', path: '/payment-services', body }, options)
}

/**
 * Verify payment service credentials
 *
 * Asks the provider whether it accepts these fields; 200 means that it does. Nothing is stored. With `payment_service_id`, that service’s stored fields fill the gaps.
 *
 * Requires the scope `payment-services.write`.
 */
export function verify(
  connection: Connection,
  body: T.VerifyCredentials,
  options?: Options,
): Promise<T.VerifiedCredentials> {
  return send(connection, { method: 'POST', path: '/payment-services/verify', body }, options)
}

/**
 * Get payment service
 *
 * Requires the scope `payment-services.read`.
 */
export function get(
  connection: Connection,
  paymentServiceId: string,
  options?: Options,
): Promise<T.PaymentService> {
  return send(connection, { method: 'GET', path: path`/payment-services/${paymentServiceId}` }, options)
}

/**
 * Update payment service
 *
 * Fields that are left out stay as they are. An empty value clears an optional field. They cannot be changed while an operation is open at the service, because its outcome has to be found there.
 *
 * Requires the scope `payment-services.write`.
 */
export function update(
  connection: Connection,
  paymentServiceId: string,
  body: T.UpdatePaymentService,
  options?: Options,
): Promise<T.PaymentService> {
  return send(connection, { method: 'PUT', path: path`/payment-services/${paymentServiceId}`, body }, options)
}

/**
 * Delete payment service
 *
 * Its payments can no longer be captured or refunded. We keep asking for the outcome of open operations, and its holds are released by `void` or when they expire. Tokens that it has given for stored payment methods stay at the provider until you delete them or the methods. Then the secrets leave the vault. To stop only new payments, set `active` to false.
 *
 * Requires the scope `payment-services.write`.
 */
function delete_(
  connection: Connection,
  paymentServiceId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/payment-services/${paymentServiceId}` }, options)
}
