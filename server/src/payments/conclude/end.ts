import type { Scope, Tx } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as buyers from '#resources/buyers/store.ts'
import {
  forgetCard as forgetSessionCard,
  forgetCode as forgetSessionCode,
} from '#resources/checkout/sessions/forget-card.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import { queueProvision } from '#resources/payment-methods/network-tokens/queue-provision.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as uses from '#resources/payment-methods/uses/store.ts'
import type { Vault } from '#vault'
import { forgetNumbers, reverseAll, skipRest } from '../gift-cards/redemptions.ts'
import * as state from '../state.ts'
import * as captures from '../store/captures.ts'
import * as cards from '../store/cards.ts'
import * as transactionEvents from '../store/events.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as transactions from '../store/payments.ts'
import { recordStatus, tellStatus } from '../tell.ts'

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

/**
 * A capture fails that had succeeded, or a refund of it comes to nothing. If nothing is captured any more, the payment
 * has no time of capture, and if that ends it, the reason is that of the capture. `endIfUndone` tells of it.
 */
export async function changeUndone(
  tx: Scope<Tx>,
  before: transactions.StoredTransaction,
  change: transactions.Change,
): Promise<transactions.StoredTransaction> {
  if (change.captured_amount !== 0) return transactions.change(tx, before, change)
  const { status = before.status } = change
  const isOver = status !== before.status && state.isOver({ status })
  const voided_at = tx.clock().toISOString()
  return transactions.change(tx, before, {
    ...change,
    ...(isOver && { error_code: await reasonOf(tx, before) }),
    outcome: { captured_at: null, ...(isOver && state.isVoided({ status }) && { voided_at }) },
  })
}

/** Why the last capture failed. */
async function reasonOf(tx: Scope<Tx>, { id }: transactions.StoredTransaction): Promise<string | null> {
  const failed = (await captures.listOf(tx, id)).filter(({ status }) => status === 'failed')
  const [last] = failed.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())
  return last?.error_code ?? null
}

/**
 * Tells subscribers that the payment is over, and gives back what gift cards paid. There is no hold to release: the
 * capture had used it up, and a rest was released before.
 */
export async function endIfUndone(
  tx: Scope<Tx>,
  engine: Engine,
  before: transactions.StoredTransaction,
  after: transactions.StoredTransaction,
): Promise<void> {
  if (before.status === after.status) return
  // Subscribers know the status of a payment that is authorized again.
  if (!state.isOver(after)) return recordStatus(tx, before.status, after)
  await tellStatus(tx, before.status, after)
  if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
}

/**
 * The payment is approved. Turns a card that was to be stored into a payment method, and returns its id. The
 * rest leaves the vault in the same commit.
 */
export async function keepCard(
  tx: Scope<Tx>,
  engine: Pick<Engine, 'vault' | 'tokenService'>,
  transaction: StoredTransaction,
): Promise<string | null> {
  const { vault } = engine
  const held = transaction.document.holds_card ? await cards.find(tx, transaction.id) : undefined
  if (!held) return null
  await cards.remove(tx, transaction.id)
  if (held.security_code_token) await vault.remove(tx.db, tx, held.security_code_token)
  if (!held.store || !held.card) {
    if (held.number_token) await vault.remove(tx.db, tx, held.number_token)
    return null
  }
  const id = await paymentMethods.insertPaidCard(tx, held.card, await ownerOf(tx, held.store))
  await uses.record(tx, { paymentMethodId: id, isClientInitiated: !transaction.merchant_initiated })
  await auditLogs.record(tx, 'created', {
    type: auditLogs.OF_BUYERS.paymentMethod,
    id,
    name: `${held.card.scheme} ${held.card.label}`,
  })
  await queueProvision(tx, engine, {
    paymentMethodId: id,
    scheme: held.card.scheme,
    isMerchantInitiated: transaction.merchant_initiated,
    isSubsequentPayment: transaction.is_subsequent_payment,
    transactionId: transaction.id,
  })
  return id
}

/** The buyer may have been deleted meanwhile. That must not undo the payment. */
async function ownerOf(tx: Scope<Tx>, { id, buyerId, externalIdentifier }: cards.Keep): Promise<cards.Keep> {
  const buyer = buyerId === null ? undefined : await buyers.find(tx, buyerId)
  return { id, buyerId: buyer?.id ?? null, externalIdentifier }
}

/** The payment ended unpaid: deletes the number and the security code. */
async function forgetCard(tx: Scope<Tx>, vault: Vault, { id, document }: StoredTransaction): Promise<void> {
  const held = document.holds_card ? await cards.find(tx, id) : undefined
  if (!held) return
  await cards.remove(tx, id)
  for (const token of [held.number_token, held.security_code_token]) {
    if (token) await vault.remove(tx.db, tx, token)
  }
}

/** Deletes the session's security code with the first answer, and its card with the first approval. */
export async function finishSession(
  tx: Scope<Tx>,
  vault: Vault,
  { id, checkout_session_id }: StoredTransaction,
  isApproved: boolean,
): Promise<void> {
  if (checkout_session_id === null) return
  const session = await checkoutSessions.lockForPayment(tx, checkout_session_id)
  if (session?.transaction_id !== id) return
  if (isApproved) return forgetSessionCard(tx, vault, session)
  await forgetSessionCode(tx, vault, session)
  await checkoutSessions.release(tx, session.id)
}

/** The provider has received the security code and answered, but has not decided yet. */
export async function forgetCodeOfSession(
  tx: Scope<Tx>,
  vault: Vault,
  { id, checkout_session_id }: StoredTransaction,
): Promise<void> {
  if (checkout_session_id === null) return
  const session = await checkoutSessions.lockForPayment(tx, checkout_session_id)
  if (session?.transaction_id === id) await forgetSessionCode(tx, vault, session)
}
