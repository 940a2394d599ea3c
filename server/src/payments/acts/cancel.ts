import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { ApiError, errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { TransactionCancel } from '#resources/transactions/wire/transaction.ts'
import type { ConcludedPayment } from '../conclude/conclude.ts'
import { failApproval } from '../conclude/fail-approval.ts'
import { showTransaction } from '../show.ts'
import { isBuyerAsked } from '../state.ts'
import * as transactions from '../store/payments.ts'
import { audit } from '../tell.ts'
import { DONE, followUp, reportOn, requireSupport } from './follow-up.ts'

/** Cancels a payment that is not decided yet. */
export async function cancelTransaction(
  scope: Scope,
  once: Once,
  engine: Engine,
  id: string,
): Promise<Finished<TransactionCancel>> {
  const waiting = await transactions.find(scope, id)
  if (waiting && (await isOurs(scope, waiting))) return cancelApproval(scope, once, engine, waiting)
  return followUp(scope, engine, {
    operation: 'cancel',
    transactionId: id,
    once,
    begin: async (tx, transaction) => {
      await audit(tx, 'canceled', transaction)
      return { amount: transaction.amount }
    },
    show: showCancel,
  })
}

/** Whether we ask the buyer ourselves, so that no payment service knows the payment yet. */
async function isOurs(scope: Scope, { id, status }: transactions.StoredTransaction): Promise<boolean> {
  return isBuyerAsked({ status }) && (await attempts.openOf(scope, id)).length === 0
}

/** One commit, as there is no provider to ask: an approval at the same time comes before it or is refused. */
async function cancelApproval(
  scope: Scope,
  once: Once,
  engine: Engine,
  waiting: transactions.StoredTransaction,
): Promise<Finished<TransactionCancel>> {
  await requireSupport(scope, engine, waiting, 'cancel')
  return inFinalTransaction(scope, once, async (tx) => {
    const locked = await transactions.lock(tx, waiting.id)
    const isStillOurs = locked !== undefined && (await isOurs(tx, locked))
    const end = { code: 'canceled', canceledAt: tx.clock() }
    const canceled = isStillOurs ? await failApproval(tx, engine, waiting.id, end) : undefined
    if (!canceled) throw errors.tooEarly('The buyer has just decided. Try again in a moment.')
    await audit(tx, 'canceled', canceled)
    return {
      type: 'transaction-cancel',
      ...DONE,
      transaction: await showTransaction(tx, canceled),
    }
  })
}

async function showCancel(
  tx: Scope<Tx>,
  { transaction, attempt }: ConcludedPayment,
): Promise<TransactionCancel> {
  const { status, ...report } = reportOn(attempt)
  return {
    type: 'transaction-cancel',
    status: status === 'declined' ? 'failed' : status,
    ...report,
    transaction: await showTransaction(tx, transaction),
  }
}

/**
 * The buyer does not want to approve. A payment that only the issuer knows ends here. A provider that was asked is asked to
 * cancel, and the payment waits for its answer: until then, the buyer may still have paid.
 */
export async function cancelByBuyer(scope: Scope, engine: Engine, id: string): Promise<void> {
  const waiting = await transactions.find(scope, id)
  if (!waiting || !isBuyerAsked(waiting)) return
  if ((await attempts.openOf(scope, id)).length > 0) return cancelAtProvider(scope, engine, id)
  await inTransaction(scope, async (tx) => {
    const failed = await failApproval(tx, engine, id, { code: 'cancelled_buyer_approval' })
    if (failed) await audit(tx, 'canceled', failed)
  })
}

/** A provider that cannot cancel, or is just deciding, leaves the payment as it is. */
async function cancelAtProvider(scope: Scope, engine: Engine, id: string): Promise<void> {
  try {
    await cancelTransaction(scope, UNKEYED, engine, id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
