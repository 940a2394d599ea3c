// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List events
 *
 * Events as webhooks carry them, newest first. Events of the whole installation, such as those of API keys, are in the list of all merchant accounts (`*`), for keys that can reach all of them. Events of API keys also need `webhook-subscriptions.read` or `api-key-pairs.read`.
 *
 * Requires the scope `events.read` or `webhook-subscriptions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListEventsQuery,
  options?: Options,
): List<T.Events> {
  return listOf(connection, '/events', query, options)
}

/**
 * Get event
 *
 * Requires the scope `events.read` or `webhook-subscriptions.read`.
 */
export function get(
  connection: Connection,
  eventId: string,
  options?: Options,
): Promise<T.Event> {
  return send(connection, { method: 'GET', path: path`/events/${eventId}` }, options)
}
