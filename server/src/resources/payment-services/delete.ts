import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { recordChange } from '#processing/service-accounts/save.ts'
import type { Vault } from '#vault'
import * as paymentServices from './store.ts'

/**
 * No new payment uses the service. Open attempts are still inquired about, so a job removes its secrets
 * later. The row stays for the books.
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
