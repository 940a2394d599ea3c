// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export * as attempts from './deliveries/attempts.ts'

/**
 * List webhook deliveries
 *
 * The deliveries of a subscription, sent or waiting, newest first.
 *
 * Requires the scope `events.read` or `webhook-subscriptions.read`.
 */
export function list(
  connection: Connection,
  subscriptionId: string,
  query?: T.ListWebhookDeliveriesQuery,
  options?: Options,
): List<T.WebhookDeliveries> {
  return listOf(connection, path`/webhook-subscriptions/${subscriptionId}/deliveries`, query, options)
}

/**
 * Get webhook delivery
 *
 * Requires the scope `events.read` or `webhook-subscriptions.read`.
 */
export function get(
  connection: Connection,
  subscriptionId: string,
  deliveryId: string,
  options?: Options,
): Promise<T.WebhookDelivery> {
  return send(connection, { method: 'GET', path: path`/webhook-subscriptions/${subscriptionId}/deliveries/${deliveryId}` }, options)
}

/**
 * Replay webhook delivery
 *
 * Sends an event again with the same id, and starts the retry schedule again. Also for an event that was never sent because the subscription was not active: `delivery_id` is the id of the event.
 *
 * Requires the scope `webhook-subscriptions.write` or `webhook-deliveries.write`.
 */
export function replay(
  connection: Connection,
  subscriptionId: string,
  deliveryId: string,
  options?: Options,
): Promise<T.WebhookDelivery> {
  return send(connection, { method: 'POST', path: path`/webhook-subscriptions/${subscriptionId}/deliveries/${deliveryId}/replay` }, options)
}
