import type { Caller } from '#platform/access/auth.ts'
import type { Context } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { covers } from '#resources/api-key-pairs/grant.ts'
import * as roles from '#resources/roles/store.ts'
import type { User } from './schemas.ts'

/** Some roles only add to others. */
export async function refuseAddOnsAlone(context: Context, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return
  const named = await roles.findNamed(context, roleIds)
  if (named.some((role) => role.is_standalone_assignable)) return
  const message = 'add a role beside it: this one only adds to others'
  throw errors.invalid(inBody('/role_ids/0', 'value_error.conflict', message))
}

/** A user may be changed only by a caller who can do everything that the user can. */
export function refuseStrongerUser(caller: Caller, user: User): void {
  if (user.roles.every((role) => covers(caller, role))) return
  throw errors.forbidden({
    location: 'path',
    pointer: '/user_id',
    type: 'value_error.conflict',
    message: 'ask a user with more permissions: this user may do more than you may',
  })
}
