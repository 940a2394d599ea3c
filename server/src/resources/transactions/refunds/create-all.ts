import { inFinalTransaction, type Scope } from '../../../platform/db.ts'
import type { Engine } from '../../../processing/engine.ts'
import { createRefund, NothingLeftError } from './create.ts'
import type { Refund, RefundAllCreate, Refunds } from './schemas.ts'

/** Gives back all that is left, to every instrument that paid. Nothing left is nothing to do. */
export async function refundAll(
  scope: Scope,
  engine: Engine,
  transactionId: string,
  request: RefundAllCreate | undefined,
): Promise<Refunds> {
  const { remember, ...rest } = scope
  const whole = { ...rest, ...(remember && { remember: wrap(remember) }) }
  try {
    const asked = { target_type: 'payment-method', ...request } as const
    return collectionOf([await createRefund(whole, engine, transactionId, asked)])
  } catch (error) {
    // Nothing has been written then: that nothing is left is found out first, under the payment's lock.
    if (!(error instanceof NothingLeftError)) throw error
    return inFinalTransaction(scope, async () => collectionOf([]))
  }
}

/** What is stored for a replay is the answer of this operation, not of the one inside it. */
function wrap(remember: NonNullable<Scope['remember']>): NonNullable<Scope['remember']> {
  return (tx, refund) => remember(tx, collectionOf([refund as Refund]))
}

function collectionOf(items: Refund[]): Refunds {
  return { items, limit: 20, next_cursor: null, previous_cursor: null }
}
