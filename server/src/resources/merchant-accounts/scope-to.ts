import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import * as merchantAccounts from './store.ts'

/** The account that a path names. An account that the key may not use looks like a missing one. */
export async function scopeTo(
  context: Context,
  callerReach: Reach,
  merchantAccountId: string,
): Promise<Scope> {
  const isHidden = callerReach !== 'all' && !callerReach.includes(merchantAccountId)
  if (isHidden || !(await merchantAccounts.exists(context, merchantAccountId))) throw errors.notFound()
  return { ...context, merchantAccountId }
}
