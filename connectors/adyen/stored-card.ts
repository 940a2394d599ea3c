import type { Secret } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'

/** A card that Adyen keeps. Adyen needs its shopper with the token, so our token has both. */
export type StoredCard = { readonly shopperReference: string; readonly storedPaymentMethodId: string }

export function writeStored({ shopperReference, storedPaymentMethodId }: StoredCard): Secret {
  return secret(`${shopperReference}:${storedPaymentMethodId}`)
}

/** Null: this is no token of Adyen. */
export function readStored(token: Secret): StoredCard | null {
  const [, shopperReference, storedPaymentMethodId] =
    /^([0-9a-f-]{36}):([A-Z0-9]{16})$/.exec(token.use(String)) ?? []
  return shopperReference && storedPaymentMethodId ? { shopperReference, storedPaymentMethodId } : null
}
