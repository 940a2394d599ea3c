// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Invite user again
 *
 * A new link in the place of the last one. For a user who is active and has lost every passkey, it lasts one day, and what they had before works until they use it.
 *
 * Requires the scope `users.write`.
 */
export function create(
  connection: Connection,
  userId: string,
  options?: Options,
): Promise<T.Invitation> {
  return send(connection, { method: 'POST', path: path`/users/${userId}/invitations` }, options)
}
