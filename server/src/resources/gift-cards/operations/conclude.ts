import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { GiftCardTold } from '#processing/ask-gift-card.ts'
import { codeOf, type Decided, factsOf } from '#processing/attempts/answer.ts'
import type { Engine } from '#processing/engine.ts'
import * as buyers from '#resources/buyers/store.ts'
import type { Vault } from '#vault'
import { insertCard } from '../keep-card.ts'
import { readTime } from '../read-card.ts'
import * as giftCards from '../store.ts'
import * as operations from './store.ts'

type Decision = { readonly subject: operations.Operation; readonly answer: Decided<GiftCardTold> }

/** A gift card service has decided: stores a card to be stored, or deletes its number. */
export async function concludeOperation(
  tx: Scope<Tx>,
  { vault }: Engine,
  { subject: operation, answer }: Decision,
): Promise<operations.Operation> {
  if (answer.outcome === 'approved') {
    const expires_at = readTime(answer.expiresAt ?? null)
    return operations.change(tx, operation, {
      ...FORGOTTEN,
      state: 'approved',
      reference: answer.reference,
      expires_at,
      gift_card_id: await storeCard(tx, vault, { ...operation, expires_at }),
    })
  }
  await forgetCard(tx, vault, operation)
  const { rawCode = null, rawDescription = null } = factsOf(answer)
  return operations.change(tx, operation, {
    ...FORGOTTEN,
    state: 'refused',
    error_code: codeOf(answer) as GiftCardErrorCode | null,
    raw_error_code: rawCode,
    raw_error_message: rawDescription,
  })
}

const FORGOTTEN = { number_token: null, pin_token: null }

/** Stores the activated card. If the buyer has got it in another way meanwhile, returns that one. */
async function storeCard(
  tx: Scope<Tx>,
  vault: Vault,
  operation: operations.Operation,
): Promise<string | null> {
  const { gift_card_service_id, bin, sub_bin, last4, fingerprint, expires_at } = operation
  const { number_token, pin_token } = operation
  if (number_token === null || pin_token === null) return null
  if (bin === null || sub_bin === null || last4 === null || fingerprint === null) {
    throw new Error('a gift card to be stored has no facts')
  }
  // Locked, so that no other request stores the same card for the buyer now.
  const buyer = operation.buyer_id === null ? undefined : await buyers.lock(tx, operation.buyer_id)
  const twin = buyer && (await giftCards.findTwin(tx, { buyerId: buyer.id, fingerprint }))
  if (twin) {
    await forgetCard(tx, vault, operation)
    return twin.id
  }
  const facts = { gift_card_service_id, bin, sub_bin, last4, fingerprint, expires_at }
  const card = { ...facts, number_token, pin_token, buyer_id: buyer?.id ?? null }
  return (await insertCard(tx, card)).id
}

async function forgetCard(
  tx: Scope<Tx>,
  vault: Vault,
  { number_token, pin_token }: operations.Operation,
): Promise<void> {
  for (const token of [number_token, pin_token]) if (token) await vault.remove(tx.db, tx, token)
}
