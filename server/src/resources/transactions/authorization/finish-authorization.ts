import { isOvertaken } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import {
  answerUnkeyed,
  type Finished,
  inFinalBriefTransaction,
  inFinalTransaction,
  type Once,
} from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { doWhatIsQueued } from '../attempts/resolve.ts'
import { type ConcludedPayment, concludeAsRead, concludePayment } from '../conclusions/conclude.ts'
import * as transactionEvents from '../events/store.ts'
import { findTransaction } from '../find.ts'
import { isForReview } from '../review.ts'
import { showTransaction, toTransaction } from '../show.ts'
import type { Transaction } from '../wire/transaction.ts'
import type { Answered } from './turn.ts'

/**
 * The second commit, and what follows it before the caller is answered: redemptions of gift cards, a capture.
 */
export async function finishAuthorization(
  scope: Scope,
  once: Once,
  engine: Engine,
  answered: Answered,
): Promise<Finished<Transaction>> {
  return finish(scope, once, engine, answered).catch((error: unknown) =>
    answerUnkeyed(once, error, toTransaction(answered.transaction, undefined)),
  )
}

async function finish(
  scope: Scope,
  once: Once,
  engine: Engine,
  told: Answered,
): Promise<Finished<Transaction>> {
  const { transaction, attempt, answer } = told
  const { id, intent, has_gift_card_redemptions } = transaction
  const isCaptureToDo = intent === 'capture' && !attempt.is_direct_capture
  const isMoreToDo = has_gift_card_redemptions || isCaptureToDo || isForReview(transaction)
  if (answer.outcome !== 'approved' || !isMoreToDo) {
    // A payment this new has hardly ever changed. Not locking it saves three round trips to the database.
    const concludeAndShow = showing(scope, once, told)
    return concludeAndShow((tx) => concludeAsRead(tx, engine, told)).catch((error: unknown) => {
      if (!isOvertaken(error)) throw error
      return concludeAndShow((tx) => concludePayment(tx, engine, told))
    })
  }
  await inTransaction(scope, (tx) => concludePayment(tx, engine, told))
  await doWhatIsQueued(scope, engine, id)
  return inFinalTransaction(scope, once, async (tx) => showTransaction(tx, await findTransaction(tx, id)))
}

/** Concludes in the commit that also stores the answer to the caller. */
function showing(scope: Scope, once: Once, { service, events }: Answered) {
  return (conclude: (tx: Scope<Tx>) => Promise<ConcludedPayment>) =>
    inFinalBriefTransaction(scope, once, async (tx) => {
      const { transaction, isNews } = await conclude(tx)
      if (isNews) await transactionEvents.record(tx, transaction.id, events)
      return transaction.has_gift_card_redemptions
        ? showTransaction(tx, transaction)
        : toTransaction(transaction, service)
    })
}
