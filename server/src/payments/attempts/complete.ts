import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type Returned, sealReturned } from '#processing/attempts/approval.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { isBuyerAsked } from '../state.ts'
import { lockWithAttempt } from '../store/lock-with-attempt.ts'
import { resolvePayment } from './resolve.ts'

/**
 * Asks the provider to finish an authorization that the buyer has approved. The first commit keeps what the buyer brought
 * back, so that the job can go on with it if this process dies or the answer is lost. Null: the provider told us of the
 * approval, and the buyer has not come back. A decided payment stays as it is.
 */
export async function complete(
  scope: Scope,
  engine: Engine,
  attempt: attempts.PaymentAttempt,
  returned: Returned | null,
): Promise<void> {
  const begun = await inTransaction(scope, async (tx) => {
    const locked = await lockWithAttempt(tx, attempt)
    if (!locked || !isBuyerAsked(locked.transaction) || locked.attempt.due_at === null) return undefined
    const { attempt: current } = locked
    // A buyer who opens the page again without parameters must not undo the first visit.
    const isEmpty = returned === null || Object.keys(returned).length === 0
    const isKept = current.returned !== null && isEmpty
    return attempts.change(tx, current, {
      state: current.state,
      due_at: dueIfLeft(tx.clock(), engine.providers.timeoutMs),
      may_complete: true,
      ...(!isKept && { returned: returned && sealReturned(engine.secrets, current, returned) }),
    })
  })
  if (begun) await resolvePayment(scope, engine, begun)
}
