import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { dueIfLeft } from '../attempts/due.ts'
import * as attempts from '../attempts/store.ts'
import { finishSession, forgetCard } from '../authorization/finish-card.ts'
import { tellStatus } from '../events/tell.ts'
import * as transactions from '../store.ts'
import { forgetNumbers } from './forget-numbers.ts'
import { queueReversal } from './queue.ts'
import * as redemptions from './store.ts'

/**
 * One gift card could not pay its part, so nobody pays: what was taken from the others goes back to them, and the hold on
 * the payment method is let go. All of it is on record in this commit, and done by whoever is there to do it.
 */
export async function unwind(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
  code: string,
): Promise<transactions.StoredTransaction> {
  await skipRest(tx, transaction)
  await reverseAll(tx, engine, transaction)
  const { id, authorized_amount, payment_service_id } = transaction
  if (authorized_amount > 0 && payment_service_id !== null) {
    await attempts.insert(tx, {
      transaction_id: id,
      operation: 'void',
      payment_service_id,
      amount: authorized_amount,
      state: 'queued',
      dueAt: dueIfLeft(tx.clock(), engine.providers.timeoutMs),
    })
  }
  const after = await transactions.change(tx, transaction, {
    status: 'authorization_failed',
    error_code: code,
  })
  await forgetCard(tx, engine.vault, after)
  await forgetNumbers(tx, engine.vault, after)
  await finishSession(tx, engine.vault, after, false)
  await tellStatus(tx, transaction.status, after)
  return after
}

/** Nobody was asked for these, and nobody will be. */
export async function skipRest(tx: Scope<Tx>, { id }: transactions.StoredTransaction): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status === 'created') await redemptions.change(tx, redemption, { status: 'skipped' })
  }
}

/** Puts back on its card whatever was redeemed and not refunded or reversed. */
export async function reverseAll(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id }: transactions.StoredTransaction,
): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status !== 'succeeded' || redemption.is_reversed || redemption.refunded_amount > 0)
      continue
    await queueReversal(tx, redemption, dueIfLeft(tx.clock(), providers.timeoutMs))
  }
}
