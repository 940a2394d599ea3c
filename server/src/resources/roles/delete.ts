import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/merchant-account.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseConfined, refuseUnchangeable, takeFromHolders } from './check-role.ts'
import * as roles from './store.ts'

/** The lock keeps the role from being granted meanwhile, and the references of its holders keep it from being removed. */
export function deleteRole(context: Context, caller: Caller, id: string): Promise<void> {
  refuseConfined(reachOf(caller))
  return inTransaction(context, async (tx) => {
    const role = await roles.lock(tx, id)
    if (!role) throw errors.notFound()
    refuseUnchangeable(caller, role)
    const message = takeFromHolders(role.holders)
    if (message !== undefined) {
      const about = { location: 'path', pointer: '/role_id', type: 'value_error.conflict' } as const
      throw errors.duplicate(id, { ...about, message })
    }
    await roles.remove(tx, id)
    const resource = { type: 'role', id, name: role.name }
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', resource)
  })
}
