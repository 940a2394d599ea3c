import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as passkeys from './store.ts'

type Renamed = { readonly userId: string; readonly id: string; readonly name: string }

export function renamePasskey(
  context: Context,
  { userId, id, name }: Renamed,
): Promise<passkeys.StoredPasskey> {
  return inTransaction(context, async (tx) => {
    const renamed = await passkeys.rename(tx, { userId, id, name })
    if (!renamed) throw errors.notFound()
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', { type: 'passkey', id, name })
    return renamed
  })
}
