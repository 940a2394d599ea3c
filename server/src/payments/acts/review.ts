import type { ReviewNotification } from '#connectors/contract/anti-fraud.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { StoredService } from '#resources/anti-fraud-services/store.ts'
import type { TransactionReviewCreate } from '#resources/transactions/wire/review.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { doQueuedAndShow, doWhatIsQueued } from '../attempts/resolve.ts'
import { resolveReview } from '../conclude/finish.ts'
import { isPendingReview } from '../state.ts'
import * as transactionEvents from '../store/events.ts'
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
  return doQueuedAndShow(scope, once, engine, id)
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

type Read = Extract<ReviewNotification, { outcome: 'read' }>

/**
 * Takes the result of a review from an anti-fraud service. Returns whether we know the payment. The first
 * result counts.
 */
export async function takeReview(
  scope: Scope,
  engine: Engine,
  service: StoredService,
  read: Read,
): Promise<boolean> {
  const isKnown = await inTransaction(scope, (tx) => resolve(tx, engine, service, read))
  if (isKnown) await doWhatIsQueued(scope, engine, read.transactionId)
  return isKnown
}

async function resolve(
  tx: Scope<Tx>,
  engine: Engine,
  { id: serviceId }: StoredService,
  { transactionId, decision }: Read,
): Promise<boolean> {
  const transaction = await transactions.lock(tx, transactionId)
  const antiFraud = transaction?.outcome.anti_fraud
  if (!transaction) return false
  if (antiFraud?.service_id !== serviceId) return noteSilent(tx, transactionId, serviceId, decision)
  if (antiFraud.review !== 'awaited') return true
  await waitWhileOpen(tx, transactionId)
  const context = { anti_fraud_service_id: serviceId, decision }
  await transactionEvents.record(tx, transactionId, [{ name: 'anti-fraud-webhook', context }])
  const review = decision === 'accept' ? 'accepted' : 'rejected'
  await resolveReview(tx, engine, transaction, { ...antiFraud, review })
  return true
}

/** A service that did not decide may have been asked in silence: its history then has a word more. */
async function noteSilent(
  tx: Scope<Tx>,
  transactionId: string,
  serviceId: string,
  decision: Read['decision'],
): Promise<boolean> {
  if (!(await transactionEvents.isJudgedBy(tx, transactionId, serviceId))) return false
  const context = { anti_fraud_service_id: serviceId, decision, silent: true }
  await transactionEvents.record(tx, transactionId, [{ name: 'anti-fraud-decision-update', context }])
  return true
}

/**
 * A review would neither capture nor release an increment that is under way. The provider sends its result
 * again.
 */
async function waitWhileOpen(tx: Scope<Tx>, transactionId: string): Promise<void> {
  const open = await attempts.openOf(tx, transactionId)
  if (open.some(({ kind }) => kind === 'increment')) {
    throw errors.tooEarly('The amount is being raised. Try again in a moment.')
  }
}
