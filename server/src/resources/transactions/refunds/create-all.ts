import { inFinalTransaction, type Scope } from '../../../platform/db.ts'
import { errors } from '../../../platform/errors.ts'
import type { Engine } from '../../../processing/engine.ts'
import { objectionTo, refundable } from '../state.ts'
import * as transactions from '../store.ts'
import { createRefund } from './create.ts'
import type { Refund, RefundAllCreate, Refunds } from './schemas.ts'

/** Gives back all that is left, to every instrument that paid. Nothing left is nothing to do. */
export async function refundAll(
  scope: Scope,
  engine: Engine,
  transactionId: string,
  request: RefundAllCreate | undefined,
): Promise<Refunds> {
  const transaction = await transactions.find(scope, transactionId)
  if (!transaction) throw errors.notFound()
  const objection = objectionTo('refund', transaction)
  if (objection) throw errors.refused(`The transaction cannot be refunded: ${objection}.`)
  if (refundable(transaction) === 0 && !scope.begun) {
    return inFinalTransaction(scope, async () => collectionOf([]))
  }
  const { remember, ...rest } = scope
  const whole = { ...rest, ...(remember && { remember: wrap(remember) }) }
  const refund = await createRefund(whole, engine, transactionId, {
    target_type: 'payment-method',
    ...request,
  })
  return collectionOf([refund])
}

/** What is stored for a replay is the answer of this operation, not of the one inside it. */
function wrap(remember: NonNullable<Scope['remember']>): NonNullable<Scope['remember']> {
  return (tx, refund) => remember(tx, collectionOf([refund as Refund]))
}

function collectionOf(items: Refund[]): Refunds {
  return { items, limit: 20, next_cursor: null, previous_cursor: null }
}
