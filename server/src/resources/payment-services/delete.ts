import { inTransaction, type Scope } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { recordChange } from '#processing/service-accounts/save.ts'
import type { Vault } from '#vault'
import * as paymentServices from './store.ts'

/**
 * No payment goes to it any more. What is still open there is asked for until it is decided, so its secrets leave the
 * vault only then, by a job. The row itself stays for the books.
 */
export function deletePaymentService(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const service = await paymentServices.lock(tx, id)
    if (!service) throw errors.notFound()
    for (const token of Object.values(service.reporting_secrets)) await vault.remove(tx.db, scope, token)
    await paymentServices.markDeleted(tx, service, { reporting_secrets: {} })
    await recordChange(tx, paymentServices.KIND, 'deleted', service)
  })
}
