import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { deletePaymentMethod } from './delete.ts'
import * as paymentMethods from './store.ts'

/** Deletes a method with all that the vault and payment services hold of it, then empties what stays for the books. */
export async function forgetMethod(scope: Scope, vault: Vault, id: string): Promise<void> {
  if (await paymentMethods.find(scope, id)) await deletePaymentMethod(scope, vault, id, () => true)
  await inTransaction(scope, async (tx) => {
    await paymentMethods.forgetBuyer(tx, id)
    await events.keepFacts(tx, [id])
  })
}
