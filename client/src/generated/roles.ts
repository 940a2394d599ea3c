// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export { delete_ as delete }

/**
 * List roles
 *
 * The roles that API key pairs and users can have, newest first. A call is allowed if both the role and the token allow it.
 *
 * Requires the scope `roles.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListRolesQuery,
  options?: Options,
): List<T.Roles> {
  return listOf(connection, '/roles', query, options)
}

/**
 * Create role
 *
 * A role of your own: any set of scopes that you have yourself. At most 100. The caller must reach all merchant accounts.
 *
 * Requires the scope `roles.write`.
 */
export function create(
  connection: Connection,
  body: T.RoleCreate,
  options?: Options,
): Promise<T.RoleDetails> {
  return send(connection, { method: 'POST', path: '/roles', body }, options)
}

/**
 * Get role
 *
 * Requires the scope `roles.read`.
 */
export function get(
  connection: Connection,
  roleId: string,
  options?: Options,
): Promise<T.RoleDetails> {
  return send(connection, { method: 'GET', path: path`/roles/${roleId}` }, options)
}

/**
 * Update role
 *
 * Fields that are left out or null stay as they are. The change counts at once for all who have the role; in other processes within 5 seconds. Built-in roles, and roles that may do more than you, cannot be changed.
 *
 * Requires the scope `roles.write`.
 */
export function update(
  connection: Connection,
  roleId: string,
  body: T.RoleUpdate,
  options?: Options,
): Promise<T.RoleDetails> {
  return send(connection, { method: 'PUT', path: path`/roles/${roleId}`, body }, options)
}

/**
 * Delete role
 *
 * Only a role of your own that no API key pair and no user has. Otherwise the answer is 409.
 *
 * Requires the scope `roles.write`.
 */
function delete_(
  connection: Connection,
  roleId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/roles/${roleId}` }, options)
}
