import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { nameOf } from './keep-card.ts'
import { showCard } from './show.ts'
import * as giftCards from './store.ts'

/** Removes number and PIN from the vault. The row stays for the books. Returns whether the card was found. */
export function deleteGiftCard(scope: Scope, vault: Vault, id: string): Promise<boolean> {
  return inTransaction(scope, async (tx) => {
    const card = await giftCards.lock(tx, id)
    if (!card) return false
    for (const token of [card.number_token, card.pin_token]) {
      if (token) await vault.remove(tx.db, scope, token)
    }
    await giftCards.markDeleted(tx, id)
    await auditLogs.record(tx, 'deleted', { type: auditLogs.OF_BUYERS.giftCard, id, name: nameOf(card) })
    await events.publish(tx, ['gift-card.deleted'], await showCard(tx, card))
    return true
  })
}

/** Deletes a card with its number and PIN, then empties what stays for the books. */
export async function forgetGiftCard(scope: Scope, vault: Vault, id: string): Promise<void> {
  await deleteGiftCard(scope, vault, id)
  await inTransaction(scope, async (tx) => {
    await giftCards.forgetBuyer(tx, id)
    await events.keepFacts(tx, [id])
  })
}
