import type { Scope } from '#platform/database/db.ts'
import { missing } from './archived.ts'
import { intentOutcome, isBuyerAsked } from './state.ts'
import * as transactions from './store/payments.ts'

/** The payment that a path names. A payment of another account is not found. */
export async function findTransaction(scope: Scope, id: string): Promise<transactions.StoredTransaction> {
  const transaction = await transactions.find(scope, id)
  if (!transaction) throw await missing(scope, id)
  return transaction
}

/** What became of a payment, for pages of buyers. Undefined: it is still being written. */
export async function findOutcome(scope: Scope, id: string) {
  const transaction = await transactions.find(scope, id)
  if (!transaction) return undefined
  const { amount, currency, outcome } = transaction
  return {
    amount,
    currency,
    outcome: intentOutcome(transaction),
    /** Until when the buyer can approve it. Null: nobody waits for that. */
    waitsUntil: isBuyerAsked(transaction) ? (outcome.approval_expires_at ?? null) : null,
  }
}
