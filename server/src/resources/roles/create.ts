import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/merchant-account.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseBeyond, refuseConfined, takenName } from './check-role.ts'
import type { RoleCreate, RoleDetails } from './schemas.ts'
import * as roles from './store.ts'

/** More would not be read by people any more. */
const ROLES_MAX = 100

export async function createRole(
  context: Context,
  once: Once,
  caller: Caller,
  request: RoleCreate,
): Promise<Finished<RoleDetails>> {
  refuseConfined(reachOf(caller))
  refuseBeyond(caller, request.permissions.allow)
  if ((await roles.countCustom(context)) >= ROLES_MAX) {
    throw errors.refused(`delete a role first: there are ${ROLES_MAX} roles of your own already`)
  }
  try {
    return await inFinalTransaction(context, once, async (tx) => {
      const id = await roles.insert(tx, {
        name: request.name,
        description: request.description ?? '',
        permissions: request.permissions.allow,
        assignable_to: request.assignable_to ?? ['user', 'api-key-pair'],
      })
      const resource = { type: 'role', id, name: request.name }
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', resource)
      const saved = await roles.findDetails(tx, id)
      if (!saved) throw new Error('a new role is missing in its own transaction')
      return saved
    })
  } catch (error) {
    if (violatedUnique(error) !== 'roles_custom_name') throw error
    throw await takenName(context, request.name)
  }
}
