import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/merchant-account.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as links from '#resources/auth/links/store.ts'
import { isMore } from '#resources/users/gains-rights.ts'
import { refuseBeyond, refuseConfined, refuseUnchangeable, takeFromHolders, takenName } from './check-role.ts'
import type { RoleDetails, RoleUpdate } from './schemas.ts'
import * as roles from './store.ts'

/** Absent and null fields stay as they are. The change counts for all who have the role. */
export async function updateRole(
  context: Context,
  caller: Caller,
  id: string,
  request: RoleUpdate,
): Promise<RoleDetails> {
  refuseConfined(reachOf(caller))
  if (request.permissions) refuseBeyond(caller, request.permissions.allow)
  try {
    return await inTransaction(context, async (tx) => {
      const before = await roles.lock(tx, id)
      if (!before) throw errors.notFound()
      refuseUnchangeable(caller, before)
      if (request.assignable_to) refuseToTakeAway(before, request.assignable_to)
      await roles.update(tx, id, changesIn(request))
      const after = await roles.findDetails(tx, id)
      if (!after) throw errors.notFound()
      // A link was made by a caller who may do all that its user could do. It must not lead to more.
      if (isMore(before.permissions.allow, after.permissions.allow)) await links.removeOfHolders(tx, id)
      const resource = { type: 'role', id, name: after.name }
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', resource)
      return after
    })
  } catch (error) {
    if (violatedUnique(error) !== 'roles_custom_name') throw error
    throw await takenName(context, request.name ?? '')
  }
}

function changesIn({ name, description, permissions, assignable_to }: RoleUpdate) {
  return {
    ...(name && { name }),
    ...(typeof description === 'string' && { description }),
    ...(permissions && { permissions: permissions.allow }),
    ...(assignable_to && { assignable_to }),
  }
}

/** Who has a role keeps it, so the role must stay one that they can have. */
function refuseToTakeAway({ id, holders }: RoleDetails, assignable: readonly string[]): void {
  const message = takeFromHolders({
    users: assignable.includes('user') ? 0 : holders.users,
    api_key_pairs: assignable.includes('api-key-pair') ? 0 : holders.api_key_pairs,
  })
  if (message === undefined) return
  throw errors.duplicate(id, inBody('/assignable_to', 'value_error.conflict', message))
}
