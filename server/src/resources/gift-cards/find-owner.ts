import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { findNamedBuyer, isOwnBuyer, otherBuyer } from '#resources/buyers/find-named.ts'

type Named = {
  readonly buyer_id?: string | null
  readonly buyer_external_identifier?: string | null
}

/** The buyer to store a card for. A browser token can store cards only for the buyer that it pins. */
export async function findOwner(
  scope: Scope,
  caller: Caller,
  request: Named,
): Promise<{ readonly buyerId: string; readonly pointer: string } | undefined> {
  const buyer = await findNamedBuyer(scope, request)
  if (!buyer) return undefined
  const pointer = request.buyer_id ? '/buyer_id' : '/buyer_external_identifier'
  if (!(await isOwnBuyer(scope, caller))(buyer.id)) throw otherBuyer('body', pointer)
  return { buyerId: buyer.id, pointer }
}
