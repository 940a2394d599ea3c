import type { Scope, Tx } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { TransactionThreeDSecureSummary } from '#resources/transactions/wire/three-d-secure.ts'
import { endUnpaid } from '../conclude/end-unpaid.ts'
import * as state from '../state.ts'
import type * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'

type Failure = {
  readonly code: string
  readonly timedOutAt?: Date
  readonly canceledAt?: Date
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
  { code, timedOutAt, canceledAt, error, events = [] }: Failure,
): Promise<transactions.StoredTransaction | undefined> {
  const before = await transactions.lock(tx, id)
  if (!before || !state.isBuyerAsked(before)) return undefined
  // A provider has been asked and may still approve, so it must be told first.
  if ((await attempts.openOf(tx, id)).length > 0) return undefined
  const summary = before.outcome.three_d_secure
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
