import type { EventName } from '#domain/event-names.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { Decided } from '#processing/attempts/answer.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { giveBack } from '../gift-cards/end-hold.ts'
import { reverseAll } from '../gift-cards/queue.ts'
import { isRejected } from '../review.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'
import { hasLapsed, retryRelease } from './release-hold.ts'
import type { Case } from './types.ts'

export async function concludeVoid(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const isDone = answer.outcome === 'approved'
  // A hold of another service does not change the payment.
  if (attempts.isStray(attempt)) {
    if (!isDone) await retryRelease(tx, attempt, answer)
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
  { transaction, attempt, answer }: Case,
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
