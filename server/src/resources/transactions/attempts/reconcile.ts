import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, inTransaction, type Scope } from '#platform/db.ts'
import { failTogether } from '#platform/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import * as transactions from '../store.ts'
import { askToFollowUp, inquire } from './ask.ts'
import { dueIfLeft } from './due.ts'
import { recordOutcome } from './record-outcome.ts'
import { settle } from './settle.ts'
import * as attempts from './store.ts'

/** So many that a provider which does not answer cannot take all places: it has a share of its own. */
const AT_ONCE = 32
const AT_ONCE_PER_SERVICE = 8
/** How often to look for what has become due, while a slow provider is waited for. */
const LOOK_AGAIN_MS = 1_000

/**
 * Finds out what became of attempts that nobody heard of: of processes that died, of answers that were lost, of
 * providers that take their time. Any process can do it for any other; each attempt is taken by one at a time.
 */
export async function resolveDue(context: Context, engine: Engine, stopping?: AbortSignal): Promise<void> {
  const leaseMs = engine.providers.timeoutMs * 2 + 10_000
  const failures: unknown[] = []
  const busy = new Map<string, { readonly count: number; readonly work: Promise<void> }>()
  const places = () => [...busy.values()].reduce((left, { count }) => left - count, AT_ONCE)
  const waitForAll = () => Promise.all([...busy.values()].map(({ work }) => work))
  try {
    while (!stopping?.aborted) {
      const besides = [...busy.keys()]
      const due = await attempts.takeDue(context, {
        limit: places(),
        limitPerService: AT_ONCE_PER_SERVICE,
        besides,
        leaseMs,
      })
      for (const [serviceId, ofService] of Map.groupBy(due, ({ payment_service_id }) => payment_service_id)) {
        const work = resolveAll(context, engine, ofService).then((failed) => {
          failures.push(...failed)
          busy.delete(serviceId)
        })
        busy.set(serviceId, { count: ofService.length, work })
      }
      if (due.length === 0 && besides.length === 0) break
      // A service that has answered meanwhile may have more; it was left out just now.
      if (busy.size === 0) continue
      await Promise.race([...[...busy.values()].map(({ work }) => work), sleep(LOOK_AGAIN_MS)])
    }
  } finally {
    await waitForAll()
  }
  failTogether(failures)
}

/** One that cannot be settled does not keep the others from it. Returns what went wrong. */
async function resolveAll(
  context: Context,
  engine: Engine,
  due: readonly attempts.Attempt[],
): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(
    due.map((attempt) => resolveAndGoOn(scopeOf(context, attempt), engine, attempt)),
  )
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
}

/** Before anything else is done with a payment: what is open about it is asked for, if nobody else waits for it. */
export async function resolveOpenOf(scope: Scope, engine: Engine, transactionId: string): Promise<void> {
  for (const attempt of await attempts.openOf(scope, transactionId)) {
    const isLeft = attempt.due_at !== null && attempt.due_at <= scope.clock()
    // What is sent may be on its way: asking about it now could make the provider refuse it.
    const isToAsk = attempt.state === 'unknown' || attempt.state === 'pending' || isLeft
    if (isToAsk && !attempts.isStray(attempt)) {
      await resolveAndGoOn(scope, engine, attempt)
    }
  }
}

/**
 * Does at once what is queued for a payment: one gift card after the other, a capture that follows, or undoing it all.
 * What is done may queue the next thing. If the process dies, any other goes on from there. What is put off until later
 * is left to the job.
 */
export async function doWhatIsQueued(scope: Scope, engine: Engine, transactionId: string): Promise<void> {
  for (;;) {
    const transaction = await transactions.find(scope, transactionId)
    const isLater = transaction?.document.order.async_capture === true
    const soon = dueIfLeft(scope.clock(), engine.providers.timeoutMs)
    const open = await attempts.openOf(scope, transactionId)
    const next = open.find(
      ({ state, operation, subject_id, due_at }) =>
        state === 'queued' &&
        due_at !== null &&
        due_at <= soon &&
        !(isLater && operation === 'capture') &&
        !attempts.isStray({ operation, subject_id }),
    )
    if (!next) return
    await resolve(scope, engine, next)
  }
}

/** One answer leads to the next question: gift cards are asked one after the other. */
async function resolveAndGoOn(scope: Scope, engine: Engine, attempt: attempts.Attempt): Promise<void> {
  const { has_gift_card_redemptions } = await resolve(scope, engine, attempt)
  if (has_gift_card_redemptions) await doWhatIsQueued(scope, engine, attempt.transaction_id)
}

/** What waits in a queue is sent, under the id it will always have; of what was sent, the provider is asked. */
async function resolve(
  scope: Scope,
  engine: Engine,
  attempt: attempts.Attempt,
): Promise<transactions.StoredTransaction> {
  const transaction = await transactions.find(scope, attempt.transaction_id)
  if (!transaction) throw new Error('an attempt belongs to no payment')
  const isQueued = attempt.state === 'queued'
  const answer = await (isQueued ? askToFollowUp : inquire)(scope, engine, transaction, attempt)
  const settled = await inTransaction(scope, async (tx) => {
    const ended = await settle(tx, engine, attempt, answer)
    // What waited in a queue was recorded by whoever put it there.
    if (!isQueued) await recordOutcome(tx, ended)
    return ended
  })
  return settled.transaction
}

function scopeOf(context: Context, { merchant_account_id }: attempts.Attempt): Scope {
  return { ...context, merchantAccountId: merchant_account_id }
}
