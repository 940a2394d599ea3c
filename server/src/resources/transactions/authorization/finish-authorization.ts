import {
  inFinalBriefTransaction,
  inFinalTransaction,
  inTransaction,
  type Scope,
} from '../../../platform/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Engine } from '../../../processing/engine.ts'
import { doWhatIsQueued } from '../attempts/reconcile.ts'
import { settleAt } from '../attempts/settle.ts'
import { findTransaction } from '../find.ts'
import type { Transaction } from '../schemas.ts'
import { showTransaction, toTransaction } from '../show.ts'
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

async function finish(
  scope: Scope,
  engine: Engine,
  { transaction: { id, intent, has_gift_card_redemptions }, ...told }: Answered,
): Promise<Transaction> {
  const { attempt, answer, service } = told
  const isMoreToDo = has_gift_card_redemptions || (intent === 'capture' && !attempt.is_direct_capture)
  if (answer.outcome !== 'approved' || !isMoreToDo) {
    return inFinalBriefTransaction(scope, async (tx) => {
      const { transaction } = await settleAt(tx, engine, told)
      return has_gift_card_redemptions
        ? showTransaction(tx, transaction)
        : toTransaction(transaction, service)
    })
  }
  await inTransaction(scope, (tx) => settleAt(tx, engine, told))
  await doWhatIsQueued(scope, engine, id)
  return inFinalTransaction(scope, async (tx) => showTransaction(tx, await findTransaction(tx, id)))
}
