import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseStrongerKey } from './grant.ts'
import type { ApiKeyPair } from './schemas.ts'
import * as apiKeyPairs from './store.ts'
import { tell } from './tell.ts'

/** Deletes for good. A key may delete itself: its tokens stop working with this answer. */
export function deleteApiKeyPair(context: Context, caller: Caller, id: string): Promise<ApiKeyPair> {
  return inTransaction(context, async (tx) => {
    const pair = orNotFound(await apiKeyPairs.lock(tx, reachOf(caller), id))
    refuseStrongerKey(caller, pair)
    return remove(tx, pair)
  })
}

/** For the service itself, which has no caller. A pair that is gone already stays so. */
export function deleteOwnPair(context: Context, id: string): Promise<ApiKeyPair | undefined> {
  return inTransaction(context, async (tx) => {
    const pair = await apiKeyPairs.lock(tx, 'all', id)
    return pair && remove(tx, pair)
  })
}

async function remove(tx: Context<Tx>, pair: ApiKeyPair): Promise<ApiKeyPair> {
  const { id, display_name: name } = pair
  await apiKeyPairs.remove(tx, id)
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', { type: 'api-key-pair', id, name })
  await tell(tx, 'api-key-pair.deleted', pair)
  return pair
}
