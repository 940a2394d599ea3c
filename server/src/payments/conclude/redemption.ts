import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { codeOf, factsOf, referenceOf } from '#processing/attempts/conclude.ts'
import { aDayLater, dueIfLeft, nextCheck } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { forgetNumbers, queueRedemption, queueReversal } from '../gift-cards/redemptions.ts'
import * as state from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import type * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import { type DecidedAttempt, finishPayment, unwind } from './finish.ts'

/**
 * Concludes the redemption of one gift card. Then the next card is redeemed, the payment is finished, or
 * everything is reversed. A redemption that comes too late for its payment is reversed alone.
 */
export async function concludeRedemption(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const { all, redemption } = await redemptionOf(tx, attempt)
  const isDone = answer.outcome === 'approved'
  const redeemed = await redemptions.change(tx, redemption, {
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
  // The provider has cancelled the payment meanwhile, and everything else is given back already.
  if (!state.isProcessing(transaction)) {
    if (isDone) await queueReversal(tx, redeemed, dueIfLeft(tx.clock(), engine.providers.timeoutMs))
    return transaction
  }
  if (!isDone) return unwind(tx, engine, transaction, codeOf(answer) ?? 'unknown_error')

  const next = all.find(({ status, id }) => status === 'created' && id !== redemption.id)
  if (next) {
    await queueRedemption(tx, engine, next)
    return transaction
  }
  await forgetNumbers(tx, engine.vault, transaction)
  return finishPayment(tx, engine, transaction)
}

/** Concludes a reversal. If it was not done, retry: soon if it got lost, daily if the provider refused it. */
export async function concludeReversal(
  tx: Scope<Tx>,
  _engine: Engine,
  { transaction, attempt, answer }: DecidedAttempt,
): Promise<transactions.StoredTransaction> {
  const { redemption } = await redemptionOf(tx, attempt)
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

async function redemptionOf(tx: Scope<Tx>, { transaction_id, subject_id }: DecidedAttempt['attempt']) {
  const all = await redemptions.listOf(tx, transaction_id)
  const redemption = all.find(({ id }) => id === subject_id)
  if (!redemption) throw new Error('an attempt has no redemption')
  return { all, redemption }
}
