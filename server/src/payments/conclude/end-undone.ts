import type { Scope, Tx } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { reverseAll } from '../gift-cards/queue.ts'
import * as state from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'

/**
 * A capture fails that had succeeded, or a refund of it comes to nothing. If nothing is captured any more, the payment
 * has no time of capture, and if that ends it, the reason is that of the capture. `endIfUndone` tells of it.
 */
export async function changeUndone(
  tx: Scope<Tx>,
  before: transactions.StoredTransaction,
  change: transactions.Change,
): Promise<transactions.StoredTransaction> {
  if (change.captured_amount !== 0) return transactions.change(tx, before, change)
  const { status = before.status } = change
  const isOver = status !== before.status && state.isOver({ status })
  const voided_at = tx.clock().toISOString()
  return transactions.change(tx, before, {
    ...change,
    ...(isOver && { error_code: await reasonOf(tx, before) }),
    outcome: { captured_at: null, ...(isOver && state.isVoided({ status }) && { voided_at }) },
  })
}

/** Why the last capture failed. */
async function reasonOf(tx: Scope<Tx>, { id }: transactions.StoredTransaction): Promise<string | null> {
  const failed = (await captures.listOf(tx, id)).filter(({ status }) => status === 'failed')
  const [last] = failed.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())
  return last?.error_code ?? null
}

/**
 * Tells subscribers that the payment is over, and gives back what gift cards paid. There is no hold to release: the
 * capture had used it up, and a rest was released before.
 */
export async function endIfUndone(
  tx: Scope<Tx>,
  engine: Engine,
  before: transactions.StoredTransaction,
  after: transactions.StoredTransaction,
): Promise<void> {
  if (before.status === after.status) return
  // Subscribers know the status of a payment that is authorized again.
  if (!state.isOver(after)) return recordStatus(tx, before.status, after)
  await tellStatus(tx, before.status, after)
  if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
}
