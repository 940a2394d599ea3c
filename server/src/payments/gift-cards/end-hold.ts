import type { EventName } from '#domain/event-names.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { tellStatus } from '../tell.ts'
import { reverseAll } from './queue.ts'

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
