import type { EventName } from '#domain/event-names.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as attempts from '#processing/attempts/store.ts'
import { dueIfLeft } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { Vault } from '#vault'
import * as state from '../state.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import { tellStatus } from '../tell.ts'
import { askedFor, type GiftCardRefund, insertGiftCardRefund, restOf } from './refund.ts'

/** This request sends it or, if its process dies, another process: card and amount are on record. */
export async function queueRedemption(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id: subject_id, transaction_id, gift_card_service_id: service_id, amount }: redemptions.Redemption,
): Promise<void> {
  const asked = { transaction_id, kind: 'redeem', subject_id, service_id, amount } as const
  await attempts.queue(tx, asked, dueIfLeft(tx.clock(), providers.timeoutMs))
}

/** Queues the reversal of a redemption. */
export async function queueReversal(
  tx: Scope<Tx>,
  { id: subject_id, transaction_id, gift_card_service_id: service_id, amount }: redemptions.Redemption,
  dueAt: Date,
): Promise<void> {
  await attempts.queue(tx, { transaction_id, kind: 'reverse', subject_id, service_id, amount }, dueAt)
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
  const { transaction_id } = refund
  await attempts.queue(tx, { transaction_id, kind: 'refund', ...askedFor(refund, given) }, dueAt)
}

/**
 * Gift cards cannot hold money. If gift cards alone pay and a reviewer has to look first, they are already
 * redeemed: a capture only sets the status, and a void gives back what they paid. No payment service is
 * asked.
 */
export function isGiftCardsOnly({
  has_gift_card_redemptions,
  document,
}: transactions.StoredTransaction): boolean {
  return has_gift_card_redemptions && document.payment_method === null
}

/** Locks a payment that can be captured or voided, which is only while it is held for a review. */
export async function lockHeld(
  tx: Scope<Tx>,
  id: string,
  operation: 'captured' | 'voided',
): Promise<transactions.StoredTransaction> {
  const locked = await transactions.lock(tx, id)
  if (!locked) throw errors.notFound()
  if (state.isAuthorized(locked)) return locked
  throw errors.refused(`The transaction cannot be ${operation}: its status is ${locked.status}.`)
}

export async function keepRedeemed(
  tx: Scope<Tx>,
  before: transactions.StoredTransaction,
  { outcome, alsoNames = [] }: { outcome?: transactions.Outcome; alsoNames?: readonly EventName[] } = {},
): Promise<transactions.StoredTransaction> {
  const captured_at = tx.clock().toISOString()
  const change = { ...state.CAPTURED, outcome: { ...outcome, captured_at } }
  const after = await transactions.change(tx, before, change)
  await tellStatus(tx, before.status, after, alsoNames)
  return after
}

/** Ends a payment for which no provider holds money any more. Gift cards get back what they paid. */
export async function giveBack(
  tx: Scope<Tx>,
  engine: Engine,
  before: transactions.StoredTransaction,
  { outcome, ...why }: Pick<transactions.Change, 'error_code' | 'outcome'> = {},
): Promise<transactions.StoredTransaction> {
  const voided_at = tx.clock().toISOString()
  const change = { ...why, ...state.VOIDED, outcome: { ...outcome, voided_at } }
  const after = await transactions.change(tx, before, change)
  if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
  await tellStatus(tx, before.status, after)
  return after
}

/** Marks gift cards that were not redeemed yet as skipped. */
export async function skipRest(tx: Scope<Tx>, { id }: StoredTransaction): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    if (redemption.status === 'created') await redemptions.change(tx, redemption, { status: 'skipped' })
  }
}

/** Removes typed numbers and PINs from the vault when the payment is decided. */
export async function forgetNumbers(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: Pick<StoredTransaction, 'id'>,
): Promise<void> {
  for (const redemption of await redemptions.listOf(tx, id)) {
    const { number_token, pin_token } = redemption
    if (number_token === null) continue
    await vault.remove(tx.db, tx, number_token)
    if (pin_token !== null) await vault.remove(tx.db, tx, pin_token)
    await redemptions.change(tx, redemption, { number_token: null, pin_token: null })
  }
}
