import * as transactions from '#payments/store/payments.ts'
import * as unfinished from '#payments/store/unfinished.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { refuseArchived } from '#resources/archives/refuse-archived.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as giftCards from '#resources/gift-cards/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as payouts from '#resources/payouts/store.ts'
import * as shippingDetails from '../shipping-details/store.ts'
import * as buyers from '../store.ts'
import type { BuyerErasure } from './schemas.ts'
import type { StoredErasure } from './store.ts'
import * as erasures from './store.ts'

/**
 * Removes the buyer at once, so that nothing new can name it, and leaves the rest to the job. A buyer that was deleted before
 * can be erased as long as a payment names it. A second request gets the first erasure.
 */
export function eraseBuyer(scope: Scope, once: Once, buyerId: string): Promise<Finished<BuyerErasure>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const buyer = await buyers.lock(tx, buyerId)
    const earlier = await erasures.find(tx, buyerId)
    if (earlier) return toErasure(earlier)
    await refuseArchived(tx, buyerId)
    if (!buyer && (await transactions.ofBuyer(tx, buyerId, { limit: 1 })).length === 0) {
      throw errors.notFound()
    }
    await refuseOpen(tx, buyerId)
    await shippingDetails.removeAll(tx, buyerId)
    const erasure = await erasures.insert(tx, buyerId, {
      payment_method_ids: await paymentMethods.allIdsOfBuyer(tx, buyerId),
      gift_card_ids: await giftCards.allIdsOfBuyer(tx, buyerId),
      shipping_details_ids: await shippingDetails.takeDeleted(tx, buyerId),
    })
    await buyers.remove(tx, buyerId)
    await auditLogs.record(tx, 'created', { type: 'buyer-erasure', id: erasure.id, name: buyerId })
    return toErasure(erasure)
  })
}

/** An open payment may still need its buyer: the provider may ask for an address, and a capture may follow. */
async function refuseOpen(tx: Scope<Tx>, buyerId: string): Promise<void> {
  const payment = await unfinished.findOpen(tx, buyerId)
  if (payment) {
    throw conflict(
      `payment ${payment} of this buyer is open: capture, void or cancel it, or wait for its outcome, then repeat this request`,
    )
  }
  const payout = await payouts.findOpen(tx, buyerId)
  if (payout)
    throw conflict(`payout ${payout} to this buyer is pending: repeat this request when it is decided`)
}

function conflict(message: string) {
  return errors.invalid({ location: 'path', pointer: '/buyer_id', type: 'value_error.conflict', message })
}

export function toErasure(row: StoredErasure): BuyerErasure {
  return {
    type: 'buyer-erasure',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    buyer_id: row.buyer_id,
    status: row.status,
    payments: row.payments,
    payment_methods: row.payment_methods,
    gift_cards: row.gift_cards,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
