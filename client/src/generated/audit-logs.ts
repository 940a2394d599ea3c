// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

/**
 * List audit logs
 *
 * Who changed what, newest first. Only keys that can reach all merchant accounts see changes of the whole installation.
 *
 * Requires the scope `audit-logs.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListAuditLogsQuery,
  options?: Options,
): List<T.AuditLogs> {
  return listOf(connection, '/audit-logs', query, options)
}

/**
 * Verify audit logs
 *
 * Checks that no entry of the audit log was changed, inserted or removed, as `switchyard verify` does, except for links in archived files. One request checks a part of the chain; while `status` is `incomplete`, ask again with `after` set to `next`. The caller must reach all merchant accounts.
 *
 * Requires the scope `audit-logs.read`.
 */
export function verify(
  connection: Connection,
  query?: T.VerifyAuditLogsQuery,
  options?: Options,
): Promise<T.AuditLogVerification> {
  return send(connection, { method: 'GET', path: '/audit-logs/verification', query }, options)
}
