import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/merchant-account.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { checkGrant, refuseStrongerKey } from './grant.ts'
import type { ApiKeyPair, UpdateApiKeyPair } from './schemas.ts'
import * as apiKeyPairs from './store.ts'
import { tell } from './tell.ts'

/** Absent and null fields stay as they are, because none of them can be empty. */
export async function updateApiKeyPair(
  context: Context,
  caller: Caller,
  id: string,
  request: UpdateApiKeyPair,
): Promise<ApiKeyPair> {
  const roleIds = await checkGrant(context, caller, request)
  return inTransaction(context, async (tx) => {
    const before = await apiKeyPairs.lock(tx, reachOf(caller), id)
    if (!before) throw errors.notFound()
    refuseStrongerKey(caller, before)

    await apiKeyPairs.update(tx, id, { ...request, role_ids: request.role_ids && roleIds })
    const after = await apiKeyPairs.find(tx, 'all', id)
    if (!after) throw errors.notFound()
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
      type: 'api-key-pair',
      id,
      name: after.display_name,
    })
    await tell(tx, 'api-key-pair.updated', after)
    return after
  })
}
