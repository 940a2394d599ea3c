import { createdAt } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { Decided } from '#processing/attempts/answer.ts'
import { aDayLater, nextCheck } from '#processing/attempts/due.ts'
import * as attempts from '#processing/attempts/store.ts'

type Hold = Pick<attempts.PaymentAttempt, 'transaction_id' | 'subject_id' | 'service_id' | 'amount'>

/** Queues the void of what a service holds for a payment. A `subject_id` that names a sale has it refunded. */
export async function releaseHold(
  tx: Scope<Tx>,
  { transaction_id, subject_id, service_id, amount }: Hold,
  dueAt: Date,
): Promise<void> {
  await attempts.queue(tx, { kind: 'void', transaction_id, subject_id, service_id, amount }, dueAt)
}

/**
 * Retries a void that was not done, because no other job releases this hold: soon if it got lost, daily if it
 * was refused. Holds lapse, and then there is nothing to release. The money of a sale stays with the merchant until it
 * is refunded, however long that takes. Returns whether there is another try.
 */
export async function retryRelease(
  tx: Scope<Tx>,
  attempt: attempts.PaymentAttempt,
  answer: Decided,
): Promise<boolean> {
  const now = tx.clock()
  if (hasLapsed(attempt.transaction_id, now) && !(await isSale(tx, attempt))) return false
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
