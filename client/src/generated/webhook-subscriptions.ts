// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as deliveries from './webhook-subscriptions/deliveries.ts'
export { delete_ as delete }

/**
 * List webhook subscriptions
 *
 * Newest first. A key for all merchant accounts also sees the subscriptions that are for all of them. `secret` is null for a caller without `webhook-subscriptions.read`, and for a user whose last proof is older than ten minutes.
 *
 * Requires the scope `webhook-subscriptions.read` or `webhook-deliveries.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListWebhookSubscriptionsQuery,
  options?: Options,
): List<T.WebhookSubscriptions> {
  return listOf(connection, '/webhook-subscriptions', query, options)
}

/**
 * Create webhook subscription
 *
 * Every event of the merchant account is sent to the URL, or only those that `events` names, signed with the secret. With `*` as merchant account, the events of all accounts are.
 *
 * Requires the scope `webhook-subscriptions.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateWebhookSubscription,
  options?: Options,
): Promise<T.WebhookSubscription> {
  return send(connection, { method: 'POST', path: '/webhook-subscriptions', body }, options)
}

/**
 * Get webhook subscription
 *
 * `secret` is null for a caller without `webhook-subscriptions.read`, and for a user whose last proof is older than ten minutes.
 *
 * Requires the scope `webhook-subscriptions.read` or `webhook-deliveries.read`.
 */
export function get(
  connection: Connection,
  subscriptionId: string,
  options?: Options,
): Promise<T.WebhookSubscription> {
  return send(connection, { method: 'GET', path: path`/webhook-subscriptions/${subscriptionId}` }, options)
}

/**
 * Update webhook subscription
 *
 * Fields that are left out stay as they are; a null `authentication` is removed, and null `events` mean all. While the subscription is not active, nothing is sent: due deliveries are parked. They can be replayed later, and so can events that happen meanwhile. A `url` or `token_url` of another origin needs the password or client secret again: a stored one is not sent to a new origin. `secret` is null for a token without `webhook-subscriptions.read`.
 *
 * Requires the scope `webhook-subscriptions.write`.
 */
export function update(
  connection: Connection,
  subscriptionId: string,
  body: T.UpdateWebhookSubscription,
  options?: Options,
): Promise<T.WebhookSubscription> {
  return send(connection, { method: 'PUT', path: path`/webhook-subscriptions/${subscriptionId}`, body }, options)
}

/**
 * Delete webhook subscription
 *
 * Nothing more is sent, and its secrets are removed from the vault.
 *
 * Requires the scope `webhook-subscriptions.write`.
 */
function delete_(
  connection: Connection,
  subscriptionId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/webhook-subscriptions/${subscriptionId}` }, options)
}

/**
 * Rotate webhook subscription secret
 *
 * A new secret signs from now on. For `delta` minutes the former one also signs, and `rotating` is true. A second rotation meanwhile removes the oldest of the three. `secret` is null for a token without `webhook-subscriptions.read`.
 *
 * Requires the scope `webhook-subscriptions.write`.
 */
export function rotateSecret(
  connection: Connection,
  subscriptionId: string,
  body?: T.RotateWebhookSecret,
  options?: Options,
): Promise<T.WebhookSubscription> {
  return send(connection, { method: 'POST', path: path`/webhook-subscriptions/${subscriptionId}/rotate-secret`, body }, options)
}

/**
 * Send test event
 *
 * Sends an event `webhook-subscription.test` to this subscription only. It is signed, sent and retried like all others.
 *
 * Requires the scope `webhook-subscriptions.write`.
 */
export function sendTest(
  connection: Connection,
  subscriptionId: string,
  options?: Options,
): Promise<T.WebhookDelivery> {
  return send(connection, { method: 'POST', path: path`/webhook-subscriptions/${subscriptionId}/test` }, options)
}

/**
 * Replay webhook deliveries
 *
 * Sends all events since a time, or only those that were given up (`status` `parked`). Waiting deliveries are not sent twice.
 *
 * Requires the scope `webhook-subscriptions.write` or `webhook-deliveries.write`.
 */
export function replay(
  connection: Connection,
  subscriptionId: string,
  body: T.ReplayWebhooks,
  options?: Options,
): Promise<T.WebhookReplay> {
  return send(connection, { method: 'POST', path: path`/webhook-subscriptions/${subscriptionId}/replay`, body }, options)
}
