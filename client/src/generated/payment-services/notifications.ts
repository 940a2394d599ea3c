// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Register payment service notifications
 *
 * Tells the provider to send its notifications to the `webhook_url` of the service, and keeps the fields that it gives for them, such as the secret that signs them. It can be repeated. Not every provider can be told so: enter the address in its own settings then.
 *
 * Requires the scope `payment-services.write`.
 */
export function register(
  connection: Connection,
  paymentServiceId: string,
  options?: Options,
): Promise<T.PaymentService> {
  return send(connection, { method: 'POST', path: path`/payment-services/${paymentServiceId}/notifications` }, options)
}

/**
 * List unmatched notifications
 *
 * What the provider told about payments that were not known when it came, newest first, and what became of it. Notifications that fit at once are not listed: what they change has events. Texts of the provider are not kept.
 *
 * Requires the scope `payment-services.read`.
 */
export function list(
  connection: Connection,
  paymentServiceId: string,
  query?: T.ListPaymentServiceNotificationsQuery,
  options?: Options,
): List<T.PaymentServiceNotifications> {
  return listOf(connection, path`/payment-services/${paymentServiceId}/notifications`, query, options)
}
