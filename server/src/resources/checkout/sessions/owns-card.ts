import type { Scope } from '#platform/database/db.ts'
import * as buyers from '#resources/buyers/store.ts'
import type { StoredMethod } from '#resources/payment-methods/store.ts'
import type { StoredSession } from './store.ts'

/**
 * Whether a stored card may be used in a session: a buyer's card only in that buyer's sessions, and a card
 * without a buyer only in sessions that name none.
 */
export async function ownsCard(
  scope: Scope,
  { buyer }: StoredSession,
  { buyer_id }: StoredMethod,
): Promise<boolean> {
  const named = buyer?.external_identifier ?? null
  if (named === null || buyer_id === null) return named === null && buyer_id === null
  return (await buyers.find(scope, buyer_id))?.external_identifier === named
}
