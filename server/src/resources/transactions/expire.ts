import { type Context, inTransaction, type Scope } from '../../platform/db.ts'
import type { Engine } from '../../processing/engine.ts'
import * as merchantAccounts from '../merchant-accounts/store.ts'
import * as attempts from './attempts/store.ts'
import { failApproval, hasExpired } from './fail-approval.ts'
import * as transactions from './store.ts'

const BATCH = 100
/** Card schemes hold an authorization for about a week; after that a capture may fail, and the buyer's money is held in vain. */
const AUTHORIZATION_MS = 7 * 24 * 3_600_000
/** How long a provider that did not let go of one is left alone. */
const AGAIN_MS = 24 * 3_600_000

/** Payments whose buyer did not approve in time have failed. */
export function expireApprovals(context: Context, engine: Engine): Promise<void> {
  return forEachOlder(context, 'buyer_approval_pending', context.clock(), async (scope, id) => {
    const waiting = await transactions.find(scope, id)
    const now = scope.clock()
    if (!waiting || !hasExpired(waiting, now)) return
    // Where the provider itself waits for the buyer, it has to say that it waits no more.
    if ((await attempts.openOf(scope, id)).length > 0) return
    await inTransaction(scope, (tx) =>
      failApproval(tx, engine, id, { code: 'incomplete_buyer_approval', timedOutAt: now }),
    )
  })
}

const EXPIRED = 'expired_authorization'

/** Authorizations that nobody captured are let go of: voided at the provider, and marked as expired. */
export function expireAuthorizations(context: Context): Promise<void> {
  const before = new Date(context.clock().getTime() - AUTHORIZATION_MS)
  return forEachOlder(context, 'authorization_succeeded', before, (scope, id) =>
    inTransaction(scope, async (tx) => {
      const held = await transactions.lock(tx, id)
      if (held?.status !== 'authorization_succeeded' || held.authorized_amount === 0) return
      const isTried = held.error_code === EXPIRED
      if (isTried && held.updated_at.getTime() + AGAIN_MS > tx.clock().getTime()) return
      if (held.payment_service_id === null || (await attempts.openOf(tx, id)).length > 0) return
      await transactions.change(tx, held, {
        status: 'authorization_void_pending',
        error_code: EXPIRED,
      })
      await attempts.insert(tx, {
        transaction_id: id,
        operation: 'void',
        payment_service_id: held.payment_service_id,
        amount: held.authorized_amount,
        state: 'queued',
        dueAt: tx.clock(),
      })
    }),
  )
}

async function forEachOlder(
  context: Context,
  status: transactions.Row['status'],
  before: Date,
  work: (scope: Scope, id: string) => Promise<void>,
): Promise<void> {
  for (const merchantAccountId of await merchantAccounts.allIds(context)) {
    const scope: Scope = { ...context, merchantAccountId }
    let after: string | null = null
    for (;;) {
      const ids: string[] = await transactions.olderInStatus(scope, status, { before, after, limit: BATCH })
      for (const id of ids) await work(scope, id)
      after = ids.at(-1) ?? null
      if (ids.length < BATCH) break
    }
  }
}
