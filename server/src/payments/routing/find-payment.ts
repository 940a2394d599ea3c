import { createdAt } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import type { Payment } from './facts.ts'

/** A payment that was made, as the rules saw it then. */
export async function paymentOfStored(scope: Scope, transaction: StoredTransaction): Promise<Payment> {
  const giftCards = transaction.has_gift_card_redemptions
    ? await redemptions.listOf(scope, transaction.id)
    : []
  return {
    row: transaction,
    document: transaction.document,
    giftCardBins: giftCards.map(({ bin }) => bin),
    decision: transaction.outcome.anti_fraud?.decision ?? null,
    at: createdAt(transaction.id),
  }
}
