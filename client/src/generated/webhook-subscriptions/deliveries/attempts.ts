// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { type List, list as listOf } from '../../../list.ts'
import { path } from '../../../path.ts'
import type * as T from '../../types.ts'

/**
 * List webhook delivery attempts
 *
 * The last hundred attempts, newest first, each with the receiver’s answer.
 *
 * Requires the scope `events.read` or `webhook-subscriptions.read`.
 */
export function list(
  connection: Connection,
  subscriptionId: string,
  deliveryId: string,
  options?: Options,
): List<T.WebhookAttempts> {
  return listOf(connection, path`/webhook-subscriptions/${subscriptionId}/deliveries/${deliveryId}/attempts`, undefined, options)
}
