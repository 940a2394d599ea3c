import type { Scope, Tx } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import * as transactions from './store.ts'

/**
 * Under the lock of the payment that expired: it is paid anew once, however often that is asked for. When that came to
 * nothing, it may be tried again.
 */
export async function claimReauthorization(tx: Scope<Tx>, expiredId: string): Promise<void> {
  await transactions.lock(tx, expiredId)
  const earlier = await transactions.reauthorizationsOf(tx, expiredId)
  const alive = earlier.find(
    ({ status }) => status !== 'authorization_declined' && status !== 'authorization_failed',
  )
  if (!alive) return
  throw errors.refused(
    `The transaction cannot be captured: it was authorized anew as ${alive.id}, whose status is ${alive.status}.`,
  )
}
