import { inFinalBriefTransaction } from '#platform/brief-transaction.ts'
import { isOvertaken } from '#platform/database-errors.ts'
import { inFinalTransaction, inTransaction, type Scope, type Tx } from '#platform/db.ts'
import { ApiError } from '#platform/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { isForReview } from '../anti-fraud/review.ts'
import { doWhatIsQueued } from '../attempts/resolve.ts'
import { type ConcludedPayment, concludeAsRead, concludePayment } from '../conclusions/conclude.ts'
import { findTransaction } from '../find.ts'
import { showTransaction, toTransaction } from '../show.ts'
import type { Transaction } from '../wire/transaction.ts'
import type { Answered } from './authorize.ts'

/** The second commit, and what may follow it before the caller is answered: gift cards, a capture. */
export async function finishAuthorization(
  scope: Scope,
  engine: Engine,
  answered: Answered,
): Promise<Transaction> {
  return finish(scope, engine, answered).catch((error: unknown) => {
    // The provider has been asked. Without a key, an invitation to try again would be one to pay twice.
    if (scope.remember || error instanceof ApiError) throw error
    return toTransaction(answered.transaction, undefined)
  })
}

async function finish(scope: Scope, engine: Engine, told: Answered): Promise<Transaction> {
  const { transaction, attempt, answer } = told
  const { id, intent, has_gift_card_redemptions } = transaction
  const isCaptureToDo = intent === 'capture' && !attempt.is_direct_capture
  const isMoreToDo = has_gift_card_redemptions || isCaptureToDo || isForReview(transaction)
  if (answer.outcome !== 'approved' || !isMoreToDo) {
    // A payment that is a moment old has hardly ever changed: not to lock it saves three trips to the database.
    return concludeAndShow(scope, told, (tx) => concludeAsRead(tx, engine, told)).catch((error: unknown) => {
      if (!isOvertaken(error)) throw error
      return concludeAndShow(scope, told, (tx) => concludePayment(tx, engine, told))
    })
  }
  await inTransaction(scope, (tx) => concludePayment(tx, engine, told))
  await doWhatIsQueued(scope, engine, id)
  return inFinalTransaction(scope, async (tx) => showTransaction(tx, await findTransaction(tx, id)))
}

function concludeAndShow(
  scope: Scope,
  { service }: Answered,
  conclude: (tx: Scope<Tx>) => Promise<ConcludedPayment>,
): Promise<Transaction> {
  return inFinalBriefTransaction(scope, async (tx) => {
    const { transaction } = await conclude(tx)
    return transaction.has_gift_card_redemptions
      ? showTransaction(tx, transaction)
      : toTransaction(transaction, service)
  })
}
