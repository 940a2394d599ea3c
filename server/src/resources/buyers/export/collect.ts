import { showTransaction } from '#payments/show.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { refuseArchived } from '#resources/archives/refuse-archived.ts'
import { showCards } from '#resources/gift-cards/show.ts'
import * as giftCards from '#resources/gift-cards/store.ts'
import { toTarget } from '#resources/payment-links/show.ts'
import * as paymentLinks from '#resources/payment-links/store.ts'
import { showMethods } from '#resources/payment-methods/show.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { showPayout } from '#resources/payouts/show.ts'
import * as payouts from '#resources/payouts/store.ts'
import * as shippingDetails from '../shipping-details/store.ts'
import * as buyers from '../store.ts'
import { type BuyerExport, EXPORTED_MAX, type ExportedPayment, type ExportedPerson } from './schemas.ts'

const AT_ONCE = 50

/** Everything that is known of a buyer, with as many payments as fit into an answer. */
export async function collectExport(scope: Scope, buyerId: string): Promise<BuyerExport> {
  const person = await collectPerson(scope, buyerId)
  const payments: ExportedPayment[] = []
  for await (const payment of paymentsOf(scope, buyerId)) {
    if (payments.length === EXPORTED_MAX) return { ...person, payments, has_more_payments: true }
    payments.push(payment)
  }
  return { ...person, payments, has_more_payments: false }
}

/** All but the payments. A buyer that was deleted is found as long as a payment names it. */
export async function collectPerson(scope: Scope, buyerId: string): Promise<ExportedPerson> {
  const buyer = await buyers.find(scope, buyerId)
  await refuseArchived(scope, buyerId)
  if (!buyer && (await transactions.ofBuyer(scope, buyerId, { limit: 1 })).length === 0) {
    throw errors.notFound()
  }
  const methods = await paymentMethods.listOfBuyer(scope, buyerId)
  const cards = await giftCards.listOfBuyer(scope, buyerId)
  const links = await paymentLinks.listOfBuyer(scope, buyerId)
  const paidOut = await payouts.listOfBuyer(scope, buyerId)
  const shown = []
  for (const { id } of paidOut) shown.push(await showPayout(scope, id))
  const now = scope.clock()
  return {
    type: 'buyer-export',
    merchant_account_id: scope.merchantAccountId,
    buyer_id: buyerId,
    exported_at: now.toISOString(),
    buyer: buyer ?? null,
    shipping_details: await shippingDetails.list(scope, [scope.merchantAccountId], buyerId),
    payment_methods: await showMethods(scope, methods),
    gift_cards: await showCards(scope, cards),
    payouts: shown,
    payment_links: links.map((link) => toTarget(link, now) as never),
  }
}

/** All payments of a buyer, the oldest first. Few are in memory at a time. */
export async function* paymentsOf(scope: Scope, buyerId: string): AsyncGenerator<ExportedPayment> {
  let after: string | undefined
  do {
    const ids = await transactions.ofBuyer(scope, buyerId, { after, limit: AT_ONCE })
    for (const id of ids) {
      const stored = await transactions.find(scope, id)
      if (!stored) continue
      const { browser_info } = stored.document.order
      yield {
        transaction: await showTransaction(scope, stored),
        ip_address: stored.ip_address,
        browser_info: browser_info ?? null,
      }
    }
    after = ids.length < AT_ONCE ? undefined : ids.at(-1)
  } while (after !== undefined)
}
