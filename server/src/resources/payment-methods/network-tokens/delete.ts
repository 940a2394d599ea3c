import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import type { Engine } from '#processing/engine.ts'
import { dropToken, queueDeletion, recordToken } from './drop.ts'
import { findToken, type Place } from './find.ts'
import { resolveToken } from './resolve.ts'
import * as networkTokens from './store.ts'

/**
 * The token is not used from the first commit on. Then the service is asked to delete it; if it does not
 * answer, the job goes on asking.
 */
export async function deleteNetworkToken(scope: Scope, engine: Engine, place: Place): Promise<void> {
  const { id } = await findToken(scope, place)
  const attempt = await inTransaction(scope, async (tx) => {
    const token = await networkTokens.lock(tx, id)
    if (!networkTokens.isLive(token)) throw errors.notFound()
    const dropped = await dropToken(tx, engine.vault, token)
    await recordToken(tx, 'deleted', dropped)
    return queueDeletion(tx, dropped, dueIfLeft(tx.clock(), engine.providers.timeoutMs))
  })
  await resolveToken(scope, engine, attempt)
}
