import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/merchant-account.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as identities from '#resources/auth/oidc/store.ts'
import * as passkeys from '#resources/auth/passkeys/store.ts'
import * as passwords from '#resources/auth/password/store.ts'
import { refuseStrongerUser } from './check-roles.ts'
import * as users from './store.ts'
import { lastAdministrator, signOut } from './update.ts'

/** The row stays, without all that the user could sign in with: the audit log names it. */
export function deleteUser(context: Context, caller: Caller, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    const user = await users.lock(tx, id, reachOf(caller))
    if (!user) throw errors.notFound()
    refuseStrongerUser(caller, user)
    const hadAdministrator = await users.hasAdministrator(tx)
    await users.update(tx, id, { status: 'deleted' })
    if (hadAdministrator && !(await users.hasAdministrator(tx))) throw lastAdministrator()
    await signOut(tx, id)
    await passkeys.removeOf(tx, id)
    await passwords.forgetOf(tx, id)
    await identities.removeOf(tx, id)
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', {
      type: 'user',
      id,
      name: user.name,
    })
  })
}
