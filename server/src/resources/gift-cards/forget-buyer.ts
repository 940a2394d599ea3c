import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { deleteGiftCard } from './delete.ts'
import * as giftCards from './store.ts'

/** Deletes a card with its number and PIN, then empties what stays for the books. */
export async function forgetGiftCard(scope: Scope, vault: Vault, id: string): Promise<void> {
  await deleteGiftCard(scope, vault, id)
  await inTransaction(scope, async (tx) => {
    await giftCards.forgetBuyer(tx, id)
    await events.keepFacts(tx, [id])
  })
}
