import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { factsOf, outcomeOf, referenceOf } from '../attempts/answer.ts'
import { aDayLater, nextCheck } from '../attempts/due.ts'
import type * as attempts from '../attempts/store.ts'
import { finishPayment } from '../authorization/finish-payment.ts'
import * as transactionEvents from '../events/store.ts'
import { toRefund } from '../refunds/show.ts'
import * as refunds from '../refunds/store.ts'
import { codeOf, type Decided } from '../state.ts'
import * as transactions from '../store.ts'
import { forgetNumbers } from './forget-numbers.ts'
import { queueRedemption, queueReversal } from './queue.ts'
import * as redemptions from './store.ts'
import { unwind } from './unwind.ts'

type Case = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.Attempt
  readonly answer: Decided
}

/** One gift card has paid, or not. Then comes the next one, or the end, or everything is undone. */
export async function settleRedemption(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const all = await redemptions.listOf(tx, transaction.id)
  const redemption = all.find(({ id }) => id === attempt.subject_id)
  if (!redemption) throw new Error('a redemption was sent that is not on record')
  const isDone = answer.outcome === 'approved'
  await redemptions.change(tx, redemption, {
    status: isDone ? 'succeeded' : 'failed',
    redeem_attempt_id: attempt.id,
    gift_card_service_redemption_id: referenceOf(answer),
    error_code: codeOf(answer) as GiftCardErrorCode | null,
    raw_error_code: factsOf(answer).rawCode ?? null,
    raw_error_message: isDone ? null : (factsOf(answer).rawDescription ?? null),
  })
  const name = isDone ? 'gift-card-redemption-succeeded' : 'gift-card-redemption-failed'
  const context = { redemption_id: redemption.id, amount: redemption.amount, code: codeOf(answer) }
  await transactionEvents.record(tx, transaction.id, [{ name, context }])
  if (!isDone) return unwind(tx, engine, transaction, codeOf(answer) ?? 'unknown_error')

  const next = all.find(({ status, id }) => status === 'created' && id !== redemption.id)
  if (next) {
    await queueRedemption(tx, engine, next)
    return transaction
  }
  await forgetNumbers(tx, engine.vault, transaction)
  return finishPayment(tx, engine, transaction)
}

/**
 * What a gift card had paid is back on it. If not, nobody else would give it back, so it is asked for again: soon when it
 * had only got lost, daily when the provider refused it.
 */
export async function settleReversal(
  tx: Scope<Tx>,
  _engine: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const all = await redemptions.listOf(tx, transaction.id)
  const redemption = all.find(({ id }) => id === attempt.subject_id)
  if (!redemption) throw new Error('a reversal belongs to no redemption')
  const context = { redemption_id: redemption.id, amount: redemption.amount, code: codeOf(answer) }
  if (answer.outcome === 'approved') {
    await redemptions.change(tx, redemption, { is_reversed: true })
    await transactionEvents.record(tx, transaction.id, [{ name: 'gift-card-reversal-succeeded', context }])
  } else {
    await transactionEvents.record(tx, transaction.id, [{ name: 'gift-card-refund-failed', context }])
    const isLost = answer.outcome === 'not_found'
    const againAt = isLost ? nextCheck(tx.clock(), attempt.checks) : aDayLater(tx.clock())
    await queueReversal(tx, redemption, againAt)
  }
  return transaction
}

type RefundCase = {
  readonly transaction: transactions.StoredTransaction
  readonly refund: refunds.StoredRefund
  readonly answer: Decided
}

/** A part of what a gift card had paid was given back to it, or not. */
export async function settleGiftCardRefund(
  tx: Scope<Tx>,
  { transaction, refund, answer }: RefundCase,
): Promise<transactions.StoredTransaction> {
  const all = await redemptions.listOf(tx, transaction.id)
  const redemption = all.find(({ id }) => id === refund.target_id)
  if (!redemption) throw new Error('a refund belongs to no redemption')
  const isDone = answer.outcome === 'approved'
  await redemptions.change(tx, redemption, {
    refunding_amount: redemption.refunding_amount - refund.amount,
    ...(isDone && { refunded_amount: redemption.refunded_amount + refund.amount }),
  })
  const after = isDone
    ? await transactions.change(tx, transaction, { has_gift_card_refunds: true })
    : transaction
  const ended = await refunds.change(tx, refund, {
    status: isDone ? 'succeeded' : answer.outcome === 'declined' ? 'declined' : 'failed',
    error_code: codeOf(answer),
    outcome: outcomeOf(factsOf(answer)),
    ...(referenceOf(answer) !== null && { payment_service_refund_id: referenceOf(answer) }),
  })
  const context = { redemption_id: redemption.id, amount: refund.amount, code: codeOf(answer) }
  const name = isDone ? 'gift-card-refund-succeeded' : 'gift-card-refund-failed'
  await transactionEvents.record(tx, transaction.id, [{ name, context }])
  const told = ended.status === 'succeeded' || ended.status === 'declined' ? ended.status : 'failed'
  await events.publish(tx, [`refund.${told}`], toRefund(after, ended))
  return after
}
