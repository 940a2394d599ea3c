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
import * as cards from '../store/cards.ts'
import type { StoredTransaction } from '../store/payments.ts'

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
export async function forgetCard(
  tx: Scope<Tx>,
  vault: Vault,
  { id, document }: StoredTransaction,
): Promise<void> {
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
