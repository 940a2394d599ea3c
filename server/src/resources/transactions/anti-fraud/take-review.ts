import type { ReviewNotification } from '../../../../../connectors/contract/anti-fraud.ts'
import { inTransaction, type Scope, type Tx } from '../../../platform/db.ts'
import type { Engine } from '../../../processing/engine.ts'
import type { StoredService } from '../../anti-fraud-services/store.ts'
import { doWhatIsQueued } from '../attempts/reconcile.ts'
import * as transactionEvents from '../events/store.ts'
import * as transactions from '../store.ts'
import { resolveReview } from './resolve-review.ts'

type Read = Extract<ReviewNotification, { outcome: 'read' }>

/** An anti-fraud service tells what came of a review. Returns whether it is known; the first word on it counts. */
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
  const isNews = antiFraud.review === 'awaited'
  await transactionEvents.record(tx, transactionId, [
    { name: 'anti-fraud-webhook', context: { anti_fraud_service_id: serviceId, decision, is_news: isNews } },
  ])
  const review = decision === 'accept' ? 'accepted' : 'rejected'
  if (isNews) await resolveReview(tx, engine, transaction, { ...antiFraud, review })
  return true
}
