import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentMethods from '../store.ts'
import { retire } from './forget.ts'
import * as tokens from './store.ts'

/** The token is not used any more. The job asks the provider to delete it, too. */
export function deleteToken(scope: Scope, paymentMethodId: string, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const method = await paymentMethods.lock(tx, paymentMethodId)
    const token = method && (await tokens.lock(tx, id))
    if (!token || token.payment_method_id !== paymentMethodId || token.deleted_at !== null)
      throw errors.notFound()
    if (token.is_first) {
      throw errors.refused('Delete the payment method instead: it cannot be charged without this token.')
    }
    await retire(tx, token)
    await auditLogs.record(tx, 'deleted', { type: 'payment-service-token', id, name: token.status })
  })
}
