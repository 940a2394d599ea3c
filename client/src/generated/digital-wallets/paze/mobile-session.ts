// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create Paze mobile session
 *
 * The answer names the page of Paze that the app opens. An amount that the token pins is filled in.
 *
 * Requires the scope `digital-wallets.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.CreatePazeSession,
  options?: Options,
): Promise<T.CreatedPazeSession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/paze/session/create', body }, options)
}

/**
 * Review Paze mobile session
 *
 * What the buyer chose on Paze’s page: card, addresses and contact.
 *
 * Requires the scope `digital-wallets.write`, or a browser token with `embed`.
 */
export function review(
  connection: Connection,
  body: T.ReviewPazeSession,
  options?: Options,
): Promise<T.ReviewedPazeSession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/paze/session/review', body }, options)
}

/**
 * Complete Paze mobile session
 *
 * The sealed card of the buyer, to pay with. An amount that the token pins is filled in.
 *
 * Requires the scope `digital-wallets.write`, or a browser token with `embed`.
 */
export function complete(
  connection: Connection,
  body: T.CompletePazeSession,
  options?: Options,
): Promise<T.CompletedPazeSession> {
  return send(connection, { method: 'POST', path: '/digital-wallets/paze/session/complete', body }, options)
}
