// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as invitations from './users/invitations.ts'
export { delete_ as delete }

/**
 * List users
 *
 * The users that you can see, newest first.
 *
 * Requires the scope `users.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListUsersQuery,
  options?: Options,
): List<T.Users> {
  return listOf(connection, '/users', query, options)
}

/**
 * Invite user
 *
 * Makes a user and a link with which they sign in for the first time. You give only roles and merchant accounts that you have yourself. The link lasts three days.
 *
 * Requires the scope `users.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateUser,
  options?: Options,
): Promise<T.InvitedUser> {
  return send(connection, { method: 'POST', path: '/users', body }, options)
}

/**
 * Get user
 *
 * Requires the scope `users.read`.
 */
export function get(
  connection: Connection,
  userId: string,
  options?: Options,
): Promise<T.User> {
  return send(connection, { method: 'GET', path: path`/users/${userId}` }, options)
}

/**
 * Update user
 *
 * Fields that are left out or null stay as they are. The change counts at once, also where the user is signed in. The last active administrator cannot be disabled or restricted.
 *
 * Requires the scope `users.write`.
 */
export function update(
  connection: Connection,
  userId: string,
  body: T.UpdateUser,
  options?: Options,
): Promise<T.User> {
  return send(connection, { method: 'PUT', path: path`/users/${userId}`, body }, options)
}

/**
 * Delete user
 *
 * Signs the user out and deletes their passkeys and password for good. The audit log keeps their name. The last active administrator cannot be deleted.
 *
 * Requires the scope `users.write`.
 */
function delete_(
  connection: Connection,
  userId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/users/${userId}` }, options)
}
