import type { Masked, Vault } from '../../../../../vault/client.ts'
import type { Scope } from '../../../platform/db.ts'
import type { StoredSession } from '../../checkout/sessions/store.ts'
import { copyItem } from '../authorization/open-item.ts'

type Entered = { readonly number: Masked | null; readonly securityCode: Masked | null }

/** Copies of what was entered in a checkout session, for the length of a request. */
export async function openSession(scope: Scope, vault: Vault, session: StoredSession): Promise<Entered> {
  const at = { type: 'checkout-session', id: session.id }
  return {
    number: await copyItem(scope, vault, { ...at, token: session.number_token }),
    securityCode: await copyItem(scope, vault, { ...at, token: session.security_code_token }),
  }
}
