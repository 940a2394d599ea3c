import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as transactionEvents from '../events/store.ts'
import { isUnpaid, isVoided } from '../state.ts'
import * as transactions from '../store.ts'

type Claim = { readonly expiredId: string; readonly newId: string }

/**
 * Under the lock of the expired payment: it is paid again only once, and not while it could still be
 * captured. If the new payment fails, another one may be tried.
 */
export async function claimReauthorization(tx: Scope<Tx>, { expiredId, newId }: Claim): Promise<void> {
  const expired = await transactions.lock(tx, expiredId)
  if (!expired || !isExpired(expired)) {
    throw errors.tooEarly('The transaction has just been changed. Try again in a moment.')
  }
  await refuseIfReauthorized(tx, expiredId)
  await transactionEvents.record(tx, expiredId, [
    { name: 'reauthorization-attempted', context: { reauthorized_transaction_id: newId } },
  ])
  await transactionEvents.record(tx, newId, [
    { name: 'reauthorization-created', context: { reauthorized_from_transaction_id: expiredId } },
  ])
}

/** Providers decline with the same error code, so the status has to fit, too. */
export function isExpired({ status, error_code }: transactions.Row): boolean {
  return isVoided({ status }) && error_code === 'expired_authorization'
}

/** Takes a `Tx`: under the payment's lock, no other request can begin to pay it again. */
export async function refuseIfReauthorized(tx: Scope<Tx>, id: string): Promise<void> {
  const earlier = await transactions.reauthorizationsOf(tx, id)
  const alive = earlier.find((payment) => !isUnpaid(payment))
  if (!alive) return
  throw errors.refused(
    `The transaction cannot be captured: it was authorized again as ${alive.id}, whose status is ${alive.status}.`,
  )
}
