import * as state from '../state.ts'
import type * as transactions from '../store.ts'

/** How long a buyer may take to approve, and how long the card's code is kept for it. */
export const APPROVAL_MS = 10 * 60_000

/** What was not approved by then has failed, also before the job has seen it. */
export function hasExpired({ outcome }: transactions.StoredTransaction, now: Date): boolean {
  return Date.parse(outcome.approval_expires_at ?? '') <= now.getTime()
}

/** What becomes of a payment that its provider gave up, where the buyer had not approved in time. */
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
