import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { checkGrant } from '#resources/api-key-pairs/grant.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as links from '#resources/auth/links/store.ts'
import * as sessions from '#resources/auth/sessions/store.ts'
import { refuseAddOnsAlone, refuseStrongerUser } from './check-roles.ts'
import { gainsRights } from './gains-rights.ts'
import type { UpdateUser, User } from './schemas.ts'
import * as users from './store.ts'

/** Absent and null fields stay as they are, because none of them can be empty. */
export async function updateUser(
  context: Context,
  caller: Caller,
  id: string,
  request: UpdateUser,
): Promise<User> {
  const roleIds = await checkGrant(context, caller, request, 'user')
  await refuseAddOnsAlone(context, roleIds)
  return inTransaction(context, async (tx) => {
    const before = orNotFound(await users.lock(tx, id, reachOf(caller)))
    refuseStrongerUser(caller, before)
    return changeUser(tx, before, {
      name: request.name?.trim(),
      status: request.status,
      role_ids: request.role_ids && roleIds,
      merchant_account_ids: request.merchant_account_ids,
    })
  })
}

/** For the command line, which has no caller. */
export function disableUser(context: Context, id: string): Promise<User> {
  return inTransaction(context, async (tx) => {
    const before = orNotFound(await users.lock(tx, id))
    return changeUser(tx, before, { status: 'disabled' })
  })
}

export async function changeUser(tx: Context<Tx>, before: User, changes: users.UserChanges): Promise<User> {
  const hadAdministrator = await users.hasAdministrator(tx)
  await users.update(tx, before.id, { ...changes, status: statusAfter(before, changes) })
  if (hadAdministrator && !(await users.hasAdministrator(tx))) throw lastAdministrator()
  if (changes.status === 'disabled') await signOut(tx, before.id)
  const after = orNotFound(await users.find(tx, before.id))
  // A link was made by a caller who may do all that the user could do. It must not lead to more.
  if (gainsRights(before, after)) await links.removeOf(tx, before.id)
  const about = { type: 'user', id: before.id, name: after.name }
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', about)
  return after
}

/** A user who cannot prove anything yet has to accept an invitation first. */
function statusAfter(before: User, { status }: users.UserChanges): users.UserChanges['status'] {
  return status === 'active' && !before.has_second_factor && !before.has_oidc ? 'pending' : status
}

export async function signOut(tx: Context<Tx>, id: string): Promise<void> {
  await sessions.removeOf(tx, id)
  await links.removeOf(tx, id)
}

export function lastAdministrator(): Error {
  return errors.refused('make another user an administrator first: this one is the last who is active')
}
