import { createdAt } from '#domain/ids.ts'
import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { hasExpired } from '../approval.ts'
import { failApproval, giveUpApproval } from '../conclude/fail-approval.ts'
import { releaseHold } from '../conclude/finish.ts'
import { hasLapsed, lapsedBy } from '../conclude/void.ts'
import { giveBack } from '../gift-cards/redemptions.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import * as unfinished from '../store/unfinished.ts'
import { recordStatus } from '../tell.ts'

/** Card schemes hold an authorization for about a week. After that a capture may fail, and the hold is of no use. */
const AUTHORIZATION_MS = 7 * 24 * 3_600_000
/** How long to wait before asking again a provider that refused a void. */
const AGAIN_MS = 24 * 3_600_000

/** Fails payments whose buyer did not approve in time. */
export function expireApprovals(context: Context, engine: Engine, stopping?: AbortSignal): Promise<void> {
  return forEachOlder(context, {
    ...state.BUYER_ASKED,
    before: context.clock(),
    batch: 100,
    stopping,
    pick: async (_scope, ids) => ids,
    work: async (scope, id) => {
      const waiting = await transactions.find(scope, id)
      const now = scope.clock()
      if (!waiting || !hasExpired(waiting, now)) return
      const open = await attempts.openOf(scope, id)
      if (open.length > 0) return giveUpApproval(scope, engine, waiting, open)
      await inTransaction(scope, (tx) =>
        failApproval(tx, engine, id, { code: 'incomplete_buyer_approval', timedOutAt: now }),
      )
    },
  })
}

const EXPIRED = 'expired_authorization'

/** Voids authorizations that were not captured in time, and marks them as expired. Ends those whose hold has lapsed. */
export async function expireAuthorizations(
  context: Context,
  engine: Engine,
  stopping?: AbortSignal,
): Promise<void> {
  const now = context.clock()
  const failures = await workThrough(context, {
    ...state.AUTHORIZED,
    before: new Date(now.getTime() - AUTHORIZATION_MS),
    batch: 1_000,
    stopping,
    // Authorizations of zero never expire, so we do not even lock them.
    pick: (scope, ids) => unfinished.expirableAmong(scope, ids, againAt(now)),
    work: (scope, id) => expireAuthorization(scope, engine, id),
  })
  const voiding = await workThrough(context, {
    ...state.VOIDING,
    before: lapsedBy(now),
    batch: 1_000,
    stopping,
    pick: async (_scope, ids) => ids,
    work: (scope, id) => endAbandonedVoid(scope, engine, id),
  })
  failTogether([...failures, ...voiding])
}

/** Retries a refused void after a day at the earliest, and only while the hold still lasts. */
function againAt(now: Date): unfinished.Again {
  return { triedBefore: new Date(now.getTime() - AGAIN_MS), createdAfter: lapsedBy(now) }
}

function expireAuthorization(scope: Scope, engine: Engine, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const held = await transactions.lock(tx, id)
    if (!held) return
    const now = tx.clock()
    const [isStill] = await unfinished.expirableAmong(tx, [id], againAt(now))
    if (!isStill || (await isBusy(tx, id))) return
    // The provider was asked in time, and has refused.
    const isOver = held.error_code === EXPIRED && hasLapsed(id, now)
    if (held.payment_service_id === null || isOver) {
      await giveBack(tx, engine, held, { error_code: EXPIRED })
      return
    }
    const after = await transactions.change(tx, held, { ...state.VOIDING, error_code: EXPIRED })
    await recordStatus(tx, held.status, after)
    const { payment_service_id: service_id, authorized_amount: amount } = held
    await releaseHold(tx, { transaction_id: id, subject_id: null, service_id, amount }, tx.clock())
  })
}

/** Ends a payment that waits for a void which is not under way any more, because its hold has lapsed. */
function endAbandonedVoid(scope: Scope, engine: Engine, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const waiting = await transactions.lock(tx, id)
    const isWaiting = waiting && state.isVoiding(waiting) && state.isHeld(waiting)
    if (isWaiting && !(await isBusy(tx, id))) await giveBack(tx, engine, waiting)
  })
}

async function isBusy(tx: Scope<Tx>, id: string): Promise<boolean> {
  return (await attempts.openOf(tx, id)).some((attempt) => !attempts.isStray(attempt))
}

export function nextApprovalEnd(context: Context): Promise<Date | null> {
  return unfinished.nextApprovalEnd(context, state.BUYER_ASKED.status)
}

/** When the next authorization expires, or the next refused void is sent again. */
export async function nextAuthorizationEnd(context: Context): Promise<Date | null> {
  const now = context.clock()
  const since = new Date(now.getTime() - AUTHORIZATION_MS)
  const id = await unfinished.oldestSince(context, state.AUTHORIZED.status, since)
  const end = id === null ? null : new Date(createdAt(id).getTime() + AUTHORIZATION_MS + 1)
  const { triedBefore, createdAfter } = againAt(now)
  const tried = {
    status: state.AUTHORIZED.status,
    errorCode: EXPIRED,
    createdAfter,
    changedAfter: triedBefore,
  }
  const changed = await unfinished.nextChangeAfter(context, tried)
  const again = changed && new Date(changed.getTime() + AGAIN_MS)
  return end && again && end < again ? end : (again ?? end)
}

type Turn = {
  readonly status: transactions.Row['status']
  readonly before: Date
  readonly batch: number
  readonly stopping: AbortSignal | undefined
  /** Which payments of a batch need work. */
  readonly pick: (scope: Scope, ids: string[]) => Promise<string[]>
  readonly work: (scope: Scope, id: string) => Promise<void>
}

async function forEachOlder(context: Context, turn: Turn): Promise<void> {
  failTogether(await workThrough(context, turn))
}

/** A payment that cannot be changed does not stop the work on the others. Returns why some could not. */
async function workThrough(context: Context, turn: Turn): Promise<unknown[]> {
  const { status, before, batch, stopping, pick, work } = turn
  const failures: unknown[] = []
  for (const merchantAccountId of await merchantAccounts.allIds(context)) {
    const scope: Scope = { ...context, merchantAccountId }
    let after: string | null = null
    do {
      if (stopping?.aborted) return failures
      const ids: string[] = await unfinished.olderInStatus(scope, status, { before, after, limit: batch })
      for (const id of await pick(scope, ids)) {
        await work(scope, id).catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error
          failures.push(error)
        })
      }
      after = ids.length < batch ? null : (ids.at(-1) ?? null)
    } while (after !== null)
  }
  return failures
}
