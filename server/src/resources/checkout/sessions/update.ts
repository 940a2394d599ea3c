import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseUnknownService } from './check-order.ts'
import type { CheckoutSession, UpdateCheckoutSession } from './schemas.ts'
import { showSession } from './show.ts'
import * as sessions from './store.ts'

/** Absent fields stay, null clears. The session's life is extended only if the request says so. */
export async function updateSession(
  scope: Scope,
  id: string,
  { expires_in, ...order }: UpdateCheckoutSession,
): Promise<CheckoutSession> {
  await refuseUnknownService(scope, order)
  return inTransaction(scope, async (tx) => {
    if (!(await sessions.lock(tx, id))) throw errors.notFound()
    const expiresAt = expires_in && new Date(tx.clock().getTime() + expires_in * 1000)
    const session = await sessions.update(tx, id, order, expiresAt || undefined)
    await auditLogs.record(tx, 'updated', { type: 'checkout-session', id, name: id })
    return showSession(tx, session)
  })
}
