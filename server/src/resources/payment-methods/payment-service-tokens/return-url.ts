import { timingSafeEqual } from 'node:crypto'
import { type Addresses, buyerUrl, type Engine } from '#processing/engine.ts'
import type { StoredToken } from './store.ts'

type Key = Pick<StoredToken, 'merchant_account_id' | 'id'>

/** Our page to which the provider sends the buyer after an approval. It cannot be guessed from the token's id. */
export function returnUrlOf(engine: Addresses & Pick<Engine, 'secrets'>, token: Key): string {
  const { merchant_account_id, id } = token
  return `${buyerUrl(engine)}/payment-method-approvals/${merchant_account_id}/${id}/${keyOf(engine.secrets, token)}`
}

export function isReturnKey(secrets: Engine['secrets'], token: Key, given: string): boolean {
  const [expected, actual] = [Buffer.from(keyOf(secrets, token)), Buffer.from(given)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function keyOf(secrets: Engine['secrets'], { merchant_account_id, id }: Key): string {
  return secrets.mac('payment-method-approval', `${merchant_account_id}/${id}`).toString('base64url')
}
