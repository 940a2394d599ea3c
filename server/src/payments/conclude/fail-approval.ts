import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import { aDayLater } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { TransactionThreeDSecureSummary } from '#resources/transactions/wire/three-d-secure.ts'
import { hasExpired } from '../approval.ts'
import * as state from '../state.ts'
import { isBuyerAsked } from '../state.ts'
import type * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import { endUnpaid } from './finish.ts'

type Failure = {
  readonly code: string
  readonly timedOutAt?: Date
  readonly canceledAt?: Date
  /** What the issuer has said. Left out: nothing since the payment began to wait. */
  readonly summary?: TransactionThreeDSecureSummary | null
  /** The issuer's answer to the challenge did not come. */
  readonly error?: NonNullable<TransactionThreeDSecureSummary['error_data']>
  /** Events for the payment's history. */
  readonly events?: readonly transactionEvents.NewEvent[]
}

/**
 * Fails a payment whose buyer refused, did not decide in time, or whose merchant cancelled. No provider was
 * asked for money.
 */
export async function failApproval(
  tx: Scope<Tx>,
  engine: Engine,
  id: string,
  { code, timedOutAt, canceledAt, error, events = [], ...said }: Failure,
): Promise<transactions.StoredTransaction | undefined> {
  const before = await transactions.lock(tx, id)
  if (!before || !state.isBuyerAsked(before)) return undefined
  // A provider has been asked and may still approve, so it must be told first.
  if ((await attempts.openOf(tx, id)).length > 0) return undefined
  const summary = said.summary ?? before.outcome.three_d_secure
  const ended = code === 'failed_buyer_approval' ? 'declined' : 'cancelled'
  const authentication = error
    ? ({ status: 'error', error_data: error } as const)
    : ({ status: ended } as const)
  return endUnpaid(tx, engine, before, {
    ...state.FAILED,
    error_code: code,
    outcome: {
      approval_url: null,
      ...(timedOutAt && { buyer_approval_timedout_at: timedOutAt.toISOString() }),
      ...(canceledAt && { canceled_at: canceledAt.toISOString() }),
      ...(summary && { three_d_secure: { ...summary, ...authentication } }),
    },
    events,
  })
}

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
    await attempts.queue(tx, { transaction_id: id, kind: 'cancel', service_id, amount }, now)
  })
}
