import type { Scope, Tx } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { Vault } from '#vault'
import { forgetNumbers } from '../gift-cards/forget-numbers.ts'
import { skipRest } from '../gift-cards/skip-rest.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import { tellStatus } from '../tell.ts'
import { finishSession, forgetCard } from './finish-card.ts'

/** The only way to end a payment unpaid. Deletes what was kept for it, and tells subscribers. */
export async function endUnpaid(
  tx: Scope<Tx>,
  { vault }: Engine,
  before: transactions.StoredTransaction,
  {
    events = [],
    ...change
  }: transactions.Change & { readonly events?: readonly transactionEvents.NewEvent[] },
): Promise<transactions.StoredTransaction> {
  const after = await transactions.change(tx, before, change)
  await forgetUnpaid(tx, vault, after)
  await transactionEvents.record(tx, after.id, events)
  await tellStatus(tx, before.status, after)
  return after
}

/** Deletes the card, the security code and the gift card numbers. The checkout session can be paid again. */
export async function forgetUnpaid(
  tx: Scope<Tx>,
  vault: Vault,
  transaction: transactions.StoredTransaction,
): Promise<void> {
  await forgetCard(tx, vault, transaction)
  await finishSession(tx, vault, transaction, false)
  if (!transaction.has_gift_card_redemptions) return
  await skipRest(tx, transaction)
  await forgetNumbers(tx, vault, transaction)
}
