import type { ReviewNotification } from '#connectors/contract/anti-fraud.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { StoredService } from '#resources/anti-fraud-services/store.ts'
import { doWhatIsQueued } from '../attempts/resolve.ts'
import { resolveReview } from '../conclude/resolve-review.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'

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
  if (!transaction || antiFraud?.service_id !== serviceId) return false
  if (antiFraud.review !== 'awaited') return true
  await refuseWhileOpen(tx, transactionId)
  const context = { anti_fraud_service_id: serviceId, decision }
  await transactionEvents.record(tx, transactionId, [{ name: 'anti-fraud-webhook', context }])
  const review = decision === 'accept' ? 'accepted' : 'rejected'
  await resolveReview(tx, engine, transaction, { ...antiFraud, review })
  return true
}

/**
 * A review would neither capture nor release an increment that is under way. The provider sends its result
 * again.
 */
async function refuseWhileOpen(tx: Scope<Tx>, transactionId: string): Promise<void> {
  const open = await attempts.openOf(tx, transactionId)
  if (open.some(({ kind }) => kind === 'increment')) {
    throw errors.tooEarly('The amount is being raised. Try again in a moment.')
  }
}
