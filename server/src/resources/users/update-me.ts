import type { Caller } from '#platform/access/auth.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseIfLinked } from '#resources/auth/oidc/refuse-linked.ts'
import type { UpdateMe } from './schemas.ts'
import * as users from './store.ts'

/** What users may change about themselves: their name. The audit log has the old one in earlier entries. */
export async function updateMe(context: Context, { id }: Caller, request: UpdateMe): Promise<void> {
  await refuseIfLinked(context, id)
  await inTransaction(context, async (tx) => {
    const name = request.name.trim()
    await users.update(tx, id, { name })
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', { type: 'user', id, name })
  })
}
