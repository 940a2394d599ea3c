import { inFinalBriefTransaction, inFinalTransaction, inTransaction, type Scope } from '../../platform/db.ts'
import type { Engine } from '../../processing/engine.ts'
import { askToFollowUp } from './ask.ts'
import * as attempts from './attempts/store.ts'
import type { Answered } from './authorize.ts'
import type { Transaction } from './schemas.ts'
import { settle } from './settle.ts'
import { showTransaction, toTransaction } from './show.ts'

/** The second commit, and the capture that may follow it before the caller is answered. */
export async function finishAuthorization(
  scope: Scope,
  engine: Engine,
  { transaction: { intent }, attempt, answer }: Answered,
): Promise<Transaction> {
  const captureFollows = intent === 'capture' && answer.outcome === 'approved' && !attempt.is_direct_capture
  if (!captureFollows) {
    return inFinalBriefTransaction(scope, async (tx) => {
      const { transaction, service } = await settle(tx, engine, attempt, answer)
      return toTransaction(transaction, service)
    })
  }
  const { transaction } = await inTransaction(scope, (tx) => settle(tx, engine, attempt, answer))
  const [capture] = await attempts.openOf(scope, transaction.id)
  const isAsync = transaction.document.order['async_capture'] === true
  if (capture?.operation !== 'capture' || isAsync) {
    return inFinalTransaction(scope, (tx) => showTransaction(tx, transaction))
  }
  const taken = await askToFollowUp(scope, engine, transaction, capture)
  return inFinalTransaction(scope, async (tx) => {
    const settled = await settle(tx, engine, capture, taken)
    return showTransaction(tx, settled.transaction)
  })
}
