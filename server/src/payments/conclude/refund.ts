import type { Scope, Tx } from '#platform/database/db.ts'
import { codeOf, endOf, factsOf, referenceOf } from '#processing/attempts/conclude.ts'
import { aDayLater, nextCheck, type PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { queueRefund } from '../gift-cards/redemptions.ts'
import { toRefund } from '../show.ts'
import * as state from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import * as refunds from '../store/refunds.ts'
import { changeUndone, type DecidedAttempt, endIfUndone, outcomeOf } from './finish.ts'

export async function concludeRefund(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const refund = await refunds.ofAttempt(tx, attempt)
  const toGiftCard = refund.target_type === 'gift-card-redemption'
  const after = toGiftCard
    ? await putBackOnGiftCard(tx, { transaction, attempt, refund, answer })
    : await changeUndone(tx, transaction, state.afterRefund(transaction, refund.amount, answer))
  const ended = await refunds.change(tx, refund, {
    status: endOf(answer),
    error_code: codeOf(answer),
    outcome: outcomeOf(factsOf(answer)),
    ...(referenceOf(answer) !== null && { payment_service_refund_id: referenceOf(answer) }),
  })
  await events.publish(tx, [`refund.${endOf(answer)}`], toRefund(after, ended))
  // Only after a capture that failed later: without the refund, nothing is captured any more.
  await endIfUndone(tx, engine, transaction, after)
  return after
}

type Refunded = DecidedAttempt & { readonly refund: refunds.StoredRefund }

/** A gift card got back a part of what it paid, or the provider refused that. */
async function putBackOnGiftCard(
  tx: Scope<Tx>,
  { transaction, attempt, refund, answer }: Refunded,
): Promise<transactions.StoredTransaction> {
  const all = await redemptions.listOf(tx, transaction.id)
  const redemption = all.find(({ id }) => id === refund.target_id)
  if (!redemption) throw new Error('a refund has no redemption')
  const isDone = answer.outcome === 'approved'
  const changed = await redemptions.change(tx, redemption, {
    refunding_amount: redemption.refunding_amount - refund.amount,
    ...(isDone && { refunded_amount: redemption.refunded_amount + refund.amount }),
  })
  const context = { redemption_id: redemption.id, amount: refund.amount, code: codeOf(answer) }
  const name = isDone ? 'gift-card-refund-succeeded' : 'gift-card-refund-failed'
  await transactionEvents.record(tx, transaction.id, [{ name, context }])
  if (isDone) return transactions.change(tx, transaction, { has_gift_card_refunds: true })
  // The payment is over, and the merchant cannot refund it any more: try again, as with a reversal.
  if (state.isOver(transaction)) {
    const isLost = answer.outcome === 'not_found'
    const againAt = isLost ? nextCheck(tx.clock(), attempt.checks) : aDayLater(tx.clock())
    await queueRefund(tx, { transaction, redemption: changed, amount: refund.amount }, againAt)
  }
  return transaction
}

/** The provider has not decided yet. Subscribers are told once. */
export async function tellRefundPending(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  attempt: PaymentAttempt,
): Promise<void> {
  const { reference } = attempt
  const refund = await refunds.ofAttempt(tx, attempt)
  const known =
    reference === null ? refund : await refunds.change(tx, refund, { payment_service_refund_id: reference })
  await events.publish(tx, ['refund.pending'], toRefund(transaction, known))
}
