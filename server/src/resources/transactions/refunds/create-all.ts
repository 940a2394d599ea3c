import { newId } from '../../../domain/ids.ts'
import { inFinalTransaction, inTransaction, type Scope } from '../../../platform/db.ts'
import type { Engine } from '../../../processing/engine.ts'
import { findTransaction } from '../find.ts'
import { restOf } from '../gift-card-redemptions/refund.ts'
import * as redemptions from '../gift-card-redemptions/store.ts'
import type { StoredTransaction } from '../store.ts'
import { createRefund } from './create.ts'
import { NothingLeftError } from './nothing-left.ts'
import type { Refund, RefundAllCreate, RefundCreate, Refunds } from './schemas.ts'
import { toRefund } from './show.ts'
import * as refunds from './store.ts'

/** Gives back all that is left, to every instrument that paid. Nothing left is nothing to do. */
export async function refundAll(
  scope: Scope,
  engine: Engine,
  transactionId: string,
  request: RefundAllCreate | undefined,
): Promise<Refunds> {
  const transaction = await findTransaction(scope, transactionId)
  const made = await refundsOfDeadProcess(scope, transaction)
  // Each refund is an operation of its own; only the whole of them is this one's answer.
  const { remember: _remember, begin: _begin, begun: _begun, ...single } = scope
  for (const target of await targetsOf(scope, transaction)) {
    try {
      const { id } = await createRefund(single, engine, transactionId, { ...request, ...target })
      made.push(id)
    } catch (error) {
      // Nothing has been written then: that nothing is left is found out first, under the payment's lock.
      if (!(error instanceof NothingLeftError)) throw error
    }
  }
  // Read again: what a dead process had begun is found out by now.
  return inFinalTransaction(scope, async (tx) => {
    const all = await refunds.listOf(tx, transactionId)
    const own = all.filter(({ id }) => made.includes(id)).reverse()
    return collectionOf(own.map((refund) => toRefund(transaction, refund)))
  })
}

/** The same request was begun before: what it refunded then is part of its answer. Otherwise it is begun here. */
async function refundsOfDeadProcess(scope: Scope, transaction: StoredTransaction): Promise<string[]> {
  const { begun } = scope
  if (begun) {
    const all = await refunds.listOf(scope, transaction.id)
    return all.map(({ id }) => id).filter((id) => id > begun)
  }
  await inTransaction(scope, async (tx) => tx.begin?.(tx.db, newId(tx.clock().getTime())))
  return []
}

type Target = Pick<RefundCreate, 'target_type' | 'target_id'>

/** The payment method first, then gift cards in the order in which they paid. */
async function targetsOf(scope: Scope, transaction: StoredTransaction): Promise<Target[]> {
  const paid = transaction.has_gift_card_redemptions ? await redemptions.listOf(scope, transaction.id) : []
  const giftCards = paid
    .filter((redemption) => restOf(redemption) > 0)
    .map(({ id }): Target => ({ target_type: 'gift-card-redemption', target_id: id }))
  const isGiftCardsOnly = paid.length > 0 && transaction.document.payment_method === null
  return isGiftCardsOnly ? giftCards : [{ target_type: 'payment-method' }, ...giftCards]
}

function collectionOf(items: Refund[]): Refunds {
  return { items, limit: 20, next_cursor: null, previous_cursor: null }
}
