import type { Scope, Tx } from '#platform/db.ts'
import type { EventName } from '#resources/events/names.ts'
import * as events from '#resources/events/store.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as transactions from '../store.ts'

/** What captures had left of a hold is released, or not. Either way the payment stays captured. */
export async function settleRelease(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  answer: state.Decided,
): Promise<transactions.StoredTransaction> {
  const after = await transactions.change(tx, transaction, state.afterRelease(answer))
  // `transaction.voided` would tell subscribers that nothing was captured.
  const told: EventName = answer.outcome === 'approved' ? 'transaction.modified' : refusedBy(answer)
  await events.publish(tx, [told], toTarget(after))
  return after
}

export function refusedBy({ outcome }: state.Decided): EventName {
  return outcome === 'declined' ? 'transaction.void-declined' : 'transaction.void-failed'
}
