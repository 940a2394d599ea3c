import type { Scope } from '../../platform/db.ts'
import * as paymentMethods from './store.ts'

/** What is known of a stored card from the start of its number. */
export async function cardOfPaymentMethod(scope: Scope, id: string) {
  const method = await paymentMethods.find(scope, id)
  if (!method?.bin || !method.scheme) return undefined
  return {
    bin: method.bin,
    scheme: method.scheme,
    additionalSchemes: method.additional_schemes ?? [],
    cardType: method.card_type,
    country: method.card_country,
  }
}
