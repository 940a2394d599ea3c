import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { dueIfLeft } from '../attempts/due.ts'
import * as attempts from '../attempts/store.ts'
import type { StoredTransaction } from '../store.ts'
import * as redemptions from './store.ts'

/** Sent by this very request or, if its process dies, by another: card and amount are on record. */
export async function queueRedemption(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id, transaction_id, gift_card_service_id, amount }: redemptions.Redemption,
): Promise<void> {
  await attempts.insert(tx, {
    transaction_id,
    operation: 'redeem',
    subject_id: id,
    payment_service_id: gift_card_service_id,
    amount,
    state: 'queued',
    dueAt: dueIfLeft(tx.clock(), providers.timeoutMs),
  })
}

/** Puts back on its card what was redeemed. */
export async function queueReversal(
  tx: Scope<Tx>,
  { id, transaction_id, gift_card_service_id, amount }: redemptions.Redemption,
  dueAt: Date,
): Promise<void> {
  await attempts.insert(tx, {
    transaction_id,
    operation: 'reverse',
    subject_id: id,
    payment_service_id: gift_card_service_id,
    amount,
    state: 'queued',
    dueAt,
  })
}

/** Cards are redeemed in their order; each one that succeeds queues the next. */
export async function queueFirst(tx: Scope<Tx>, engine: Engine, { id }: StoredTransaction): Promise<void> {
  const [first] = await redemptions.listOf(tx, id)
  if (!first) throw new Error('a payment with gift cards has none')
  await queueRedemption(tx, engine, first)
}
