import { isSameKey } from '#platform/http/incoming.ts'
import { type Addresses, buyerUrl, type Engine } from '#processing/engine.ts'
import type { StoredLink } from './store.ts'

type Key = Pick<StoredLink, 'merchant_account_id' | 'id'>

/** Where the buyer pays. The address cannot be guessed from the link's id, and its key is stored nowhere. */
export function linkUrl(engine: Addresses & Pick<Engine, 'secrets'>, link: Key): string {
  return `${buyerUrl(engine)}/pay/${link.merchant_account_id}/${link.id}/${keyOf(engine.secrets, link)}`
}

export function isLinkKey(secrets: Engine['secrets'], link: Key, given: string): boolean {
  return isSameKey(keyOf(secrets, link), given)
}

function keyOf(secrets: Engine['secrets'], { merchant_account_id, id }: Key): string {
  return secrets.mac('payment-link', `${merchant_account_id}/${id}`).toString('base64url')
}
