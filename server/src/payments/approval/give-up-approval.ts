import { inTransaction, type Scope } from '#platform/database/db.ts'
import { aDayLater } from '#processing/attempts/due.ts'
import * as history from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { isBuyerAsked } from '../state.ts'
import * as transactions from '../store/payments.ts'
import { hasExpired } from './approval-time.ts'

/**
 * The buyer did not approve in time on the provider's page. We ask the provider to cancel, and wait for its
 * answer: until then the buyer may still pay. If the connector cannot cancel, the job keeps asking for the
 * outcome.
 */
export async function giveUpApproval(
  scope: Scope,
  { providers }: Engine,
  { id }: transactions.StoredTransaction,
  open: readonly attempts.PaymentAttempt[],
): Promise<void> {
  const authorization = open.find(({ kind }) => kind === 'authorize')
  // The buyer came back in time, and the provider may be taking the money.
  if (authorization?.may_complete) return
  if (!authorization || open.some(({ kind }) => kind === 'cancel')) return
  const { service_id, amount } = authorization
  const service = (await paymentServices.findMany(scope, [service_id])).get(service_id)
  const connector = service && providers.connectors.find(service.payment_service_definition_id)
  if (!connector?.cancel) return
  await inTransaction(scope, async (tx) => {
    const waiting = await transactions.lock(tx, id)
    const now = tx.clock()
    if (!waiting || !isBuyerAsked(waiting)) return
    const earlier = await history.lastOf(tx, id, 'cancel')
    const isRefused = earlier && hasExpired(waiting, earlier.created_at)
    if (earlier?.due_at || (isRefused && aDayLater(earlier.created_at) > now)) return
    await attempts.queue(
      tx,
      {
        transaction_id: id,
        kind: 'cancel',
        service_id,
        amount,
      },
      now,
    )
  })
}
