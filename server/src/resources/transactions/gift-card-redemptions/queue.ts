import type { Scope, Tx } from '#platform/db.ts'
import { dueIfLeft } from '#processing/attempts/due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { StoredTransaction } from '../store.ts'
import * as redemptions from './store.ts'

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

/** Queues reversals of all redemptions that were not refunded or reversed. */
export async function reverseAll(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id }: StoredTransaction,
): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status !== 'succeeded' || redemption.is_reversed || redemption.refunded_amount > 0)
      continue
    await queueReversal(tx, redemption, dueIfLeft(tx.clock(), providers.timeoutMs))
  }
}
