import { isSameKey } from '#platform/http/incoming.ts'
import type { Engine } from '#processing/engine.ts'

type Key = { readonly merchantAccountId: string; readonly id: string }

/** Where the buyer pays. It cannot be guessed from the session's id, which the shop's pages know, too. */
export function pageUrl({ publicUrl, secrets }: Pick<Engine, 'publicUrl' | 'secrets'>, session: Key): string {
  return `${publicUrl}/pay/${session.merchantAccountId}/${session.id}/${keyOf(secrets, session)}`
}

export function isPageKey(secrets: Engine['secrets'], session: Key, given: string): boolean {
  return isSameKey(keyOf(secrets, session), given)
}

function keyOf(secrets: Engine['secrets'], { merchantAccountId, id }: Key): string {
  return secrets.mac('checkout-page', `${merchantAccountId}/${id}`).toString('base64url')
}
