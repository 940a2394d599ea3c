import { randomUUID } from 'node:crypto'
import type { ActivateOrder, GiveBackOrder, IssueOrder, PresentedCard, RedeemOrder } from './gift-card.ts'

/** Complete orders for tests, each with its own attempt id. */

export function redeemOrder(card: PresentedCard, over: Partial<RedeemOrder> = {}): RedeemOrder {
  return {
    attemptId: randomUUID(),
    transactionId: randomUUID(),
    amount: 1299,
    currency: 'USD',
    card,
    ...over,
  }
}

/** A redemption, and the provider's id of it. */
export type Redeemed = { readonly order: RedeemOrder; readonly reference: string }

export function giveBackOrder(
  { order, reference }: Redeemed,
  over: Partial<GiveBackOrder> = {},
): GiveBackOrder {
  return {
    attemptId: randomUUID(),
    transactionId: order.transactionId,
    amount: order.amount,
    currency: order.currency,
    reference,
    redeemAttemptId: order.attemptId,
    ...over,
  }
}

export function activateOrder(card: PresentedCard, over: Partial<ActivateOrder> = {}): ActivateOrder {
  return { attemptId: randomUUID(), card, amount: null, currency: null, externalIdentifier: null, ...over }
}

export function issueOrder(over: Partial<IssueOrder> = {}): IssueOrder {
  return {
    attemptId: randomUUID(),
    amount: 5000,
    currency: 'USD',
    theme: 'birthday',
    externalIdentifier: null,
    ...over,
  }
}
