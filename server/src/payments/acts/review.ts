import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { TransactionReviewCreate } from '#resources/transactions/wire/review.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { doWhatIsQueued } from '../attempts/resolve.ts'
import { resolveReview } from '../conclude/resolve-review.ts'
import { findTransaction } from '../find.ts'
import { isPendingReview } from '../review.ts'
import { showTransaction } from '../show.ts'
import * as transactions from '../store/payments.ts'
import { refuseWhileOpen } from './follow-up.ts'

type Wanted = {
  readonly id: string
  readonly once: Once
  readonly decision: TransactionReviewCreate['decision']
}

/**
 * Takes the decision of one of the merchant's own people, in place of the anti-fraud service. The first decision counts. A
 * retry with the same key goes on with what the decision began.
 */
export async function decideReview(
  scope: Scope,
  engine: Engine,
  { id, once, decision }: Wanted,
): Promise<Finished<Transaction>> {
  if (once.begun === null) {
    await inTransaction(scope, async (tx) => {
      await decide(tx, engine, id, decision)
      await once.begin(tx, id)
    })
  }
  await doWhatIsQueued(scope, engine, id)
  return inFinalTransaction(scope, once, async (tx) => showTransaction(tx, await findTransaction(tx, id)))
}

async function decide(
  tx: Scope<Tx>,
  engine: Engine,
  id: string,
  decision: Wanted['decision'],
): Promise<void> {
  const transaction = await transactions.lock(tx, id)
  if (!transaction) throw errors.notFound()
  const antiFraud = transaction.outcome.anti_fraud
  if (!antiFraud || !isPendingReview(transaction)) {
    throw errors.refused('The transaction does not wait for a review: its pending_review is false.')
  }
  await refuseWhileOpen(tx, transaction, 'review')
  await resolveReview(tx, engine, transaction, {
    ...antiFraud,
    review: decision === 'accept' ? 'accepted' : 'rejected',
  })
}
