import type { Scope, Tx } from '#platform/database/db.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import { attemptOf, type GiftCardRefund, insertGiftCardRefund, restOf } from './refund.ts'

/** This request sends it or, if its process dies, another process: card and amount are on record. */
export async function queueRedemption(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id, transaction_id, gift_card_service_id, amount }: redemptions.Redemption,
): Promise<void> {
  await attempts.queue(
    tx,
    {
      transaction_id,
      kind: 'redeem',
      subject_id: id,
      service_id: gift_card_service_id,
      amount,
    },
    dueIfLeft(tx.clock(), providers.timeoutMs),
  )
}

/** Queues the reversal of a redemption. */
export async function queueReversal(
  tx: Scope<Tx>,
  { id, transaction_id, gift_card_service_id, amount }: redemptions.Redemption,
  dueAt: Date,
): Promise<void> {
  await attempts.queue(
    tx,
    {
      transaction_id,
      kind: 'reverse',
      subject_id: id,
      service_id: gift_card_service_id,
      amount,
    },
    dueAt,
  )
}

/** Gift cards are redeemed in order. Each success queues the next one. */
export async function queueFirst(tx: Scope<Tx>, engine: Engine, { id }: StoredTransaction): Promise<void> {
  const [first] = await redemptions.listOf(tx, id)
  if (!first) throw new Error('a payment with gift cards has no redemption')
  await queueRedemption(tx, engine, first)
}

/**
 * Queues what gives back all that gift cards paid: reversals, or refunds of the rest to those that got back a part, or are
 * about to.
 */
export async function reverseAll(
  tx: Scope<Tx>,
  { providers }: Engine,
  transaction: StoredTransaction,
): Promise<void> {
  const soon = dueIfLeft(tx.clock(), providers.timeoutMs)
  for (const redemption of await redemptions.listOf(tx, transaction.id)) {
    const rest = restOf(redemption)
    if (rest === redemption.amount) await queueReversal(tx, redemption, soon)
    else if (rest > 0) await queueRefund(tx, { transaction, redemption, amount: rest }, soon)
  }
}

/** Queues a refund to a gift card of what it paid for a payment that is over. */
export async function queueRefund(tx: Scope<Tx>, given: GiftCardRefund, dueAt: Date): Promise<void> {
  const refund = await insertGiftCardRefund(tx, given)
  await attempts.queue(tx, attemptOf(refund, given), dueAt)
}
