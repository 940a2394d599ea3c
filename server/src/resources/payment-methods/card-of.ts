import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { isOwnBuyer } from '#resources/buyers/find-named.ts'
import * as paymentMethods from './store.ts'

/**
 * What the start of its number tells about a stored card. A browser token sees only its own buyer's cards.
 */
export async function cardOfPaymentMethod(scope: Scope, caller: Caller, id: string) {
  const method = await paymentMethods.find(scope, id)
  if (!method?.bin || !method.scheme) return undefined
  if (!(await isOwnBuyer(scope, caller))(method.buyer_id)) return undefined
  return {
    bin: method.bin,
    scheme: method.scheme,
    additionalSchemes: method.additional_schemes ?? [],
    cardType: method.card_type,
    country: method.card_country,
  }
}
