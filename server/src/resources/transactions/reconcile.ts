import { type Context, inTransaction, type Scope } from '../../platform/db.ts'
import type { Engine } from '../../processing/engine.ts'
import { askToFollowUp, inquire } from './ask.ts'
import * as attempts from './attempts/store.ts'
import { settle } from './settle.ts'
import * as transactions from './store.ts'

const AT_ONCE = 8

/**
 * Finds out what became of attempts that nobody heard of: of processes that died, of answers that were lost, of
 * providers that take their time. Any process can do it for any other; each attempt is taken by one at a time.
 */
export async function resolveDue(context: Context, engine: Engine): Promise<void> {
  const leaseMs = engine.providers.timeoutMs * 2 + 10_000
  for (;;) {
    const due = await attempts.takeDue(context, { limit: AT_ONCE, leaseMs })
    const outcomes = await Promise.allSettled(
      due.map((attempt) => resolve(scopeOf(context, attempt), engine, attempt)),
    )
    const failure = outcomes.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') throw failure.reason
    if (due.length < AT_ONCE) return
  }
}

/** Before anything else is done with a payment: what is open about it is asked for, if nobody else waits for it. */
export async function resolveOpenOf(scope: Scope, engine: Engine, transactionId: string): Promise<void> {
  for (const attempt of await attempts.openOf(scope, transactionId)) {
    const isLeft = attempt.due_at !== null && attempt.due_at <= scope.clock()
    // What is sent may be on its way: asking about it now could make the provider refuse it.
    if (attempt.state === 'unknown' || attempt.state === 'pending' || isLeft) {
      await resolve(scope, engine, attempt)
    }
  }
}

/**
 * Does at once what is queued for a payment: one gift card after the other, a capture that follows, or undoing it all.
 * What is done may queue the next thing. If the process dies, any other goes on from there.
 */
export async function doWhatIsQueued(scope: Scope, engine: Engine, transactionId: string): Promise<void> {
  for (;;) {
    const transaction = await transactions.find(scope, transactionId)
    const isLater = transaction?.document.order['async_capture'] === true
    const open = await attempts.openOf(scope, transactionId)
    const next = open.find(
      ({ state, operation }) => state === 'queued' && !(isLater && operation === 'capture'),
    )
    if (!next) return
    await resolve(scope, engine, next)
  }
}

/** What waits in a queue is sent, under the id it will always have; of what was sent, the provider is asked. */
async function resolve(scope: Scope, engine: Engine, attempt: attempts.Attempt): Promise<void> {
  const transaction = await transactions.find(scope, attempt.transaction_id)
  if (!transaction) throw new Error('an attempt belongs to no payment')
  const ask = attempt.state === 'queued' ? askToFollowUp : inquire
  const answer = await ask(scope, engine, transaction, attempt)
  await inTransaction(scope, (tx) => settle(tx, engine, attempt, answer))
}

function scopeOf(context: Context, { merchant_account_id }: attempts.Attempt): Scope {
  return { ...context, merchantAccountId: merchant_account_id }
}
