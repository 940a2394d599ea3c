import { type Clock, realTime } from '#platform/process/clock.ts'
import * as state from '../state.ts'
import type * as transactions from '../store/payments.ts'

/** How long a buyer may take to approve, and how long the vault keeps the security code meanwhile. */
const APPROVAL_MS = 10 * 60_000

/**
 * When a provider stops waiting for the buyer. It says so in real time, which the clock of a sandbox may be ahead of.
 */
export function approvalEnd(clock: Clock, expiresAt: Date | undefined): Date {
  const leftMs = expiresAt ? expiresAt.getTime() - realTime(clock).getTime() : APPROVAL_MS
  return new Date(clock().getTime() + leftMs)
}

/** An approval after this time is too late, even if the job has not failed the payment yet. */
export function hasExpired({ outcome }: transactions.StoredTransaction, now: Date): boolean {
  return Date.parse(outcome.approval_expires_at ?? '') <= now.getTime()
}

/** How a payment ends that its provider cancelled because the buyer did not approve in time. */
export function timedOut(
  transaction: transactions.StoredTransaction,
  { by, now }: { readonly by: Date; readonly now: Date },
): Pick<transactions.Row, 'error_code' | 'outcome'> | undefined {
  if (!state.isBuyerAsked(transaction) || !hasExpired(transaction, by)) return undefined
  return {
    error_code: 'incomplete_buyer_approval',
    outcome: { approval_url: null, buyer_approval_timedout_at: now.toISOString() },
  }
}

/** A merchant may allow less time, not more. */
export function approvalExpiry(
  now: Date,
  { document }: Pick<transactions.StoredTransaction, 'document'>,
): Date {
  const latest = now.getTime() + APPROVAL_MS
  const asked = Date.parse(document.order.approval_expires_at ?? '')
  return new Date(Number.isNaN(asked) ? latest : Math.min(asked, latest))
}
