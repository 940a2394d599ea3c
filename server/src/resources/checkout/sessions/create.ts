import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseUnknownService } from './check-order.ts'
import type { CheckoutSession, CreateCheckoutSession } from './schemas.ts'
import { showSession } from './show.ts'
import * as sessions from './store.ts'

const EXPIRES_IN_SECONDS = 3_600

export async function createSession(
  scope: Scope,
  once: Once,
  { expires_in = EXPIRES_IN_SECONDS, ...order }: CreateCheckoutSession,
): Promise<Finished<CheckoutSession>> {
  await refuseUnknownService(scope, order)
  return inFinalTransaction(scope, once, async (tx) => {
    const expiresAt = new Date(tx.clock().getTime() + expires_in * 1000)
    const session = await sessions.insert(tx, order, expiresAt)
    await auditLogs.record(tx, 'created', { type: 'checkout-session', id: session.id, name: session.id })
    return showSession(tx, session)
  })
}
