// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

/**
 * Get merchant account theme
 *
 * How the pages look on which buyers of this account pay. Null means: as usual.
 *
 * Requires the scope `merchant-accounts.read`.
 */
export function get(
  connection: Connection,
  merchantAccountId: string,
  options?: Options,
): Promise<T.Theme> {
  return send(connection, { method: 'GET', path: path`/merchant-accounts/${merchantAccountId}/theme` }, options)
}

/**
 * Update merchant account theme
 *
 * Fields that are left out stay as they are; null sets a field back. Pages that buyers open from now on look so. Colours that some buyers could not read are refused.
 *
 * Requires the scope `merchant-accounts.write`.
 */
export function update(
  connection: Connection,
  merchantAccountId: string,
  body: T.UpdateTheme,
  options?: Options,
): Promise<T.Theme> {
  return send(connection, { method: 'PUT', path: path`/merchant-accounts/${merchantAccountId}/theme`, body }, options)
}

/**
 * Preview merchant account theme
 *
 * Answers the address of a page with an example order in the look of the account. The address works for 15 minutes, for everyone who has it. Nothing can be paid there.
 *
 * Requires the scope `merchant-accounts.read`.
 */
export function preview(
  connection: Connection,
  merchantAccountId: string,
  query?: T.PreviewMerchantAccountThemeQuery,
  options?: Options,
): Promise<T.ThemePreview> {
  return send(connection, { method: 'GET', path: path`/merchant-accounts/${merchantAccountId}/theme/preview`, query }, options)
}
