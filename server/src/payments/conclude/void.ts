import type { EventName } from '#domain/event-names.ts'
import { createdAt } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { codeOf, type Decided } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { aDayLater, nextCheck } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { giveBack, reverseAll } from '../gift-cards/redemptions.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import { isRejected } from '../state.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'
import { type DecidedAttempt, releaseHold } from './finish.ts'

export async function concludeVoid(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const isDone = answer.outcome === 'approved'
  // A hold of another service does not change the payment.
  if (attempts.isStray(attempt)) {
    if (!isDone && !(await retryRelease(tx, attempt, answer)) && isKept(answer)) {
      await events.publish(tx, [refusedBy(answer)], toTarget(transaction))
    }
    return transaction
  }
  if (transaction.released_amount > 0) return concludeRelease(tx, { transaction, attempt, answer })
  // A rejected payment must not be captured by mistake: it stays as it is until its hold is released, or has lapsed.
  const isToEnd = isRejected(transaction) || hasLapsed(transaction.id, tx.clock())
  if (!isDone && isToEnd && state.isVoiding(transaction)) {
    await events.publish(tx, [refusedBy(answer)], toTarget(transaction))
    const isRetried = await retryRelease(tx, attempt, answer)
    return isRetried ? transaction : giveBack(tx, engine, transaction)
  }
  const change = state.afterVoid(transaction, answer)
  const after = await transactions.change(tx, transaction, {
    ...change,
    ...(isDone && { outcome: { voided_at: tx.clock().toISOString() } }),
  })
  // The void released the hold of a payment that had ended. Subscribers know of that end.
  if (!change.status) {
    // A voided one has no hold: the provider approved another void or a cancel.
    if (!isDone && state.isUnpaid(after)) await retryRelease(tx, attempt, answer)
    return after
  }
  if (!isDone) {
    await recordStatus(tx, transaction.status, after)
    await events.publish(tx, [refusedBy(answer)], toTarget(after))
    return after
  }
  if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
  await tellStatus(tx, transaction.status, after)
  return after
}

/** The provider released what captures had left, or refused that. The payment stays captured. */
async function concludeRelease(
  tx: Scope<Tx>,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  // Meanwhile the capture failed, too, and the payment ended as voided.
  if (state.isVoided(transaction)) {
    if (answer.outcome !== 'approved') await retryRelease(tx, attempt, answer)
    return transaction
  }
  const after = await transactions.change(tx, transaction, state.afterRelease(answer))
  // `transaction.voided` would tell subscribers that nothing was captured.
  const told: EventName = answer.outcome === 'approved' ? 'transaction.modified' : refusedBy(answer)
  await events.publish(tx, [told], toTarget(after))
  return after
}

function refusedBy({ outcome }: Decided): EventName {
  return outcome === 'declined' ? 'transaction.void-declined' : 'transaction.void-failed'
}

/** The buyer has paid for a payment that has failed, and only a person can give it back: in cash, or by a transfer. */
function isKept(answer: Decided): boolean {
  const code = codeOf(answer)
  return code === 'unsupported_transaction' || code === 'refund_period_expired'
}

/**
 * Retries a void that was not done, because no other job releases this hold: soon if it got lost, daily if it
 * was refused. Holds lapse, and then there is nothing to release. The money of a sale stays with the merchant until it
 * is refunded, however long that takes, unless it cannot be. Returns whether there is another try.
 */
async function retryRelease(
  tx: Scope<Tx>,
  attempt: attempts.PaymentAttempt,
  answer: Decided,
): Promise<boolean> {
  const now = tx.clock()
  const isOfSale = await isSale(tx, attempt)
  const isReturned = codeOf(answer) === 'refund_already_satisfied'
  if (isOfSale ? isReturned || isKept(answer) : hasLapsed(attempt.transaction_id, now)) return false
  const isLost = answer.outcome === 'not_found'
  await releaseHold(tx, attempt, isLost ? nextCheck(now, attempt.checks) : aDayLater(now))
  return true
}

async function isSale(tx: Scope<Tx>, attempt: attempts.PaymentAttempt): Promise<boolean> {
  if (!attempts.isStray(attempt)) return false
  return (await attempts.find(tx, attempt.subject_id ?? ''))?.is_direct_capture ?? false
}

const HOLD_MS_MAX = 31 * 24 * 3_600_000

/** No hold on a card lasts longer than a month. Payments created before this time hold nothing any more. */
export function lapsedBy(now: Date): Date {
  return new Date(now.getTime() - HOLD_MS_MAX)
}

export function hasLapsed(transactionId: string, now: Date): boolean {
  return createdAt(transactionId) < lapsedBy(now)
}
