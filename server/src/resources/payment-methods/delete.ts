import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { dropTokens } from './drop-tokens.ts'
import { nameOf, showMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/**
 * Removes the number from the vault. Payment services are asked to delete their tokens. The row stays for the
 * books.
 */
export function deletePaymentMethod(
  scope: Scope,
  vault: Vault,
  id: string,
  mayDelete: (method: paymentMethods.StoredMethod) => boolean,
): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const method = await paymentMethods.lock(tx, id)
    if (!method || !mayDelete(method)) throw errors.notFound()
    for (const token of [method.vault_token, method.replacement?.card?.vaultToken]) {
      if (token) await vault.remove(tx.db, scope, token)
    }
    await dropTokens(tx, vault, id)
    await paymentMethods.markDeleted(tx, id)
    await auditLogs.record(tx, 'deleted', {
      type: auditLogs.OF_BUYERS.paymentMethod,
      id,
      name: nameOf(method),
    })
    await events.publish(tx, ['payment-method.deleted'], await showMethod(tx, method))
  })
}

/** Deletes a method with all that the vault and payment services hold of it, then empties what stays for the books. */
export async function forgetMethod(scope: Scope, vault: Vault, id: string): Promise<void> {
  if (await paymentMethods.find(scope, id)) await deletePaymentMethod(scope, vault, id, () => true)
  await inTransaction(scope, async (tx) => {
    await paymentMethods.forgetBuyer(tx, id)
    await events.keepFacts(tx, [id])
  })
}
