import type { Scope, Tx } from '#platform/database/db.ts'
import { factsOf } from '#processing/attempts/conclude.ts'
import * as history from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { flagAgain } from '#resources/payment-service-reports/ingest/apply-lines.ts'
import { timedOut } from '../approval.ts'
import { giveBack, reverseAll } from '../gift-cards/redemptions.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { failCaptureLate } from './fail-late.ts'
import { type DecidedAttempt, endUnpaid } from './finish.ts'

const CANCELED = 'canceled'

/** The provider cancelled a pending payment, which also decides its authorization. */
export async function concludeCancel(
  tx: Scope<Tx>,
  engine: Engine,
  found: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const { transaction, attempt, answer } = found
  const change = state.afterCancel(transaction, answer)
  if (!change.status) return takeBack(tx, engine, found)
  for (const open of await attempts.openOf(tx, transaction.id)) {
    if (open.kind === 'authorize' && open.id !== attempt.id) {
      await attempts.change(tx, open, { state: 'failed', due_at: null })
    }
  }
  // Gift cards may have paid already. What is under way is reversed when it has succeeded.
  if (transaction.has_gift_card_redemptions) await reverseAll(tx, engine, transaction)
  const now = tx.clock()
  const late = timedOut(transaction, { by: attempt.created_at, now })
  return endUnpaid(tx, engine, transaction, {
    ...change,
    ...(late ?? { outcome: { canceled_at: now.toISOString() } }),
  })
}

/**
 * The provider told of the authorization first, and has cancelled it since: it holds nothing any more, or has given the money
 * of a sale back. A capture that is under way tells its own outcome.
 */
async function takeBack(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const isOwn = transaction.payment_service_id === attempt.service_id
  if (answer.outcome !== 'approved' || !isOwn) return transaction
  const failedAt = tx.clock()
  const outcome = { canceled_at: failedAt.toISOString() }
  if (state.isHeld(transaction)) return giveBack(tx, engine, transaction, { error_code: CANCELED, outcome })
  const sale = state.isCaptured(transaction) ? await saleOf(tx, transaction, attempt) : undefined
  if (!sale) return transaction
  const reason = { code: CANCELED, failedAt, facts: factsOf(answer) } as const
  const canceled = await transactions.change(tx, transaction, { outcome })
  const after = await failCaptureLate(tx, engine, { transaction: canceled, attempt: sale, reason })
  await flagAgain(tx, after, null)
  return after
}

/** The authorization that captured the payment in one step. */
async function saleOf(
  tx: Scope<Tx>,
  { id: transactionId, payment_service_transaction_id }: transactions.StoredTransaction,
  { service_id: serviceId }: attempts.PaymentAttempt,
): Promise<attempts.PaymentAttempt | undefined> {
  const all = await history.listOfPayment(tx, { serviceId, transactionId, kind: 'authorize' })
  const sale = all.find(
    ({ state: decided, is_direct_capture, reference }) =>
      decided === 'approved' && is_direct_capture && reference === payment_service_transaction_id,
  )
  return sale && attempts.ofPayment(sale)
}
