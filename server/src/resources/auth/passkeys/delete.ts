import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import * as identities from '../oidc/store.ts'
import * as passwords from '../password/store.ts'
import * as passkeys from './store.ts'

/** The last way to sign in stays: without it, only an administrator could let the user in again. */
export function deletePasskey(context: Context, userId: string, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    // In turn: two requests must not each delete the last but one.
    await users.lock(tx, userId)
    const removed = await passkeys.remove(tx, userId, id)
    if (!removed) throw errors.notFound()
    const others = await passkeys.listOf(tx, userId)
    const hasOther = others.length > 0 || (await passwords.find(tx, userId)) !== undefined
    if (!hasOther && !(await identities.isLinked(tx, userId))) {
      throw errors.refused('add another passkey first: this is your only way to sign in')
    }
    const about = { type: 'passkey', id, name: removed.name }
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', about)
  })
}
