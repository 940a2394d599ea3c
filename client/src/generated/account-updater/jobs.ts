// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Create account updater job
 *
 * Asks the active account updater service about stored cards of the schemes that it knows. Answers 204 if none of them qualifies.
 *
 * Requires the scope `payment-methods.write`.
 */
export function create(
  connection: Connection,
  body: T.CreateAccountUpdaterJob,
  options?: Options,
): Promise<T.AccountUpdaterJob | undefined> {
  return send(connection, { method: 'POST', path: '/account-updater/jobs', body }, options)
}
