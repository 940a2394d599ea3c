import type { Vault } from '../../../../vault/client.ts'
import { inTransaction, type Scope } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import * as auditLogs from '../audit-logs/store.ts'
import * as paymentServices from './store.ts'

/** Its secrets leave the vault with it; the row itself stays for the books. */
export function deletePaymentService(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const service = await paymentServices.lock(tx, id)
    if (!service) throw errors.notFound()
    const tokens = [...Object.values(service.secrets), ...Object.values(service.reporting_secrets)]
    for (const token of tokens) await vault.remove(tx.db, scope, token)
    await paymentServices.markDeleted(tx, service)
    await auditLogs.record(tx, {
      action: 'deleted',
      resource: { type: 'payment-service', id, name: service.display_name },
      merchantAccountId: scope.merchantAccountId,
    })
  })
}
