import type { Scope } from '#platform/db.ts'
import { intentOutcome } from './state.ts'
import * as transactions from './store.ts'

/** Whether a payment has done what it was meant to do. One that is not on record is still being written. */
export async function intentOutcomeOf(scope: Scope, id: string): Promise<'pending' | 'succeeded' | 'failed'> {
  const transaction = await transactions.find(scope, id)
  return transaction ? intentOutcome(transaction) : 'pending'
}
